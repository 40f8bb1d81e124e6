import { type Place, places } from '../../../model/outcome.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { bakingStack, emptyWorld, stackSettings } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import type { GitLabVersion } from '../../fakes/world/gitlab-version.ts';
import { startStream } from '../../fakes/world/jobs.ts';
import type { World } from '../../fakes/world/world.ts';
import { arrive, type Reaching, reach } from '../../stages/reach.ts';
import { actives, type Beginning, type RecordKind, recordKinds } from './scenario.ts';
import { turnStatusAround } from './status-edit.ts';
import { behaving, configured, type Variant, vary } from './variants.ts';
import { gitlabOf } from './versions.ts';

/** Lists beginnings: every resumable phase, in both directions, under every kind of record. */
export function allBeginnings(): Beginning[] {
  const walked = places.flatMap((place) =>
    actives.flatMap((active) => recordKinds.map((record) => ({ place, active, record }))),
  );
  return [
    { place: 'nothing', active: 'pink', record: 'fresh' },
    ...walked,
    ...takeovers(),
    ...varied(),
  ];
}

/** Lists beginnings with a command that an operator types outside the pipeline. */
function takeovers(): Beginning[] {
  const typed = [
    { place: 'promoted', record: 'fresh', first: 'rollback' },
    { place: 'draining', record: 'fresh', first: 'rollback' },
    { place: 'drained', record: 'fresh', first: 'rollback' },
    { place: 'applied', record: 'fresh', first: 'recover cleanup' },
    { place: 'healthy', record: 'fresh', first: 'recover rerun' },
    { place: 'retreating', record: 'fresh', first: 'cleanup' },
    { place: 'healthy', record: 'fresh', first: 'healthcheck' },
    { place: 'applied', record: 'fresh', first: 'recover replace' },
    { place: 'healthy', record: 'fresh', first: 'recover terminate' },
    { place: 'applying', record: 'fresh', first: 'recover auto' },
    { place: 'draining', record: 'fresh', first: 'doctor' },
    { place: 'promoting', record: 'edited', first: 'doctor --fix' },
    { place: 'destroying', record: 'fresh', first: 'doctor --fix' },
    { place: 'prepared', record: 'fresh', first: 'hold' },
    { place: 'prepared', record: 'fresh', first: 'release' },
  ] as const;
  return actives.flatMap((active) => typed.map((one) => ({ ...one, active })));
}

/**
 * Lists beginnings for cases that only some configurations or worlds reach. Other cases behave like
 * the usual ones.
 */
function varied(): Beginning[] {
  const some = [
    { place: 'prepared', variant: 'project' },
    { place: 'healthy', variant: 'observe' },
    { place: 'applied', variant: 'reach' },
    { place: 'promoted', variant: 'unseen' },
    { place: 'draining', variant: 'unseen' },
    { place: 'draining', variant: 'force' },
    { place: 'none', variant: 'account', first: 'prepare' },
    { place: 'onboarded', variant: 'lost_token' },
    { place: 'onboarded', variant: 'twin' },
    { place: 'applying', variant: 'taken' },
    { place: 'applying', variant: 'taken_thing' },
    { place: 'done', variant: 'fleet', first: 'renew' },
    { place: 'promoting', variant: 'turned_back', record: 'edited' },
    { place: 'drained', variant: 'left' },
    { place: 'drained', variant: 'hook' },
    { place: 'none', variant: 'fleet' },
    { place: 'promoted', variant: 'fleet' },
    { place: 'drained', variant: 'ephemeral' },
    { place: 'destroying', variant: 'fleet' },
    { place: 'promoted', variant: 'left_over' },
    { place: 'healthy', variant: 'terraform', first: 'recover replace' },
    { place: 'done', variant: 'no_status', first: 'doctor --fix' },
    { place: 'prepared', variant: 'held', first: 'release' },
    { place: 'prepared', variant: 'released', first: 'hold' },
    { place: 'prepared', variant: 'unlocked' },
    { place: 'onboarded', first: 'cleanup' },
    { place: 'draining', first: 'status' },
    { place: 'healthy', first: 'healthcheck --once' },
    { place: 'healthy', first: 'activate purple 48214' },
    { place: 'healthy', first: 'activate purple 48213' },
    { place: 'none', variant: 'unasked', first: 'prepare' },
    { place: 'destroying', variant: 'tag_left' },
    { place: 'applying', variant: 'mute' },
    { place: 'applying', variant: 'our_tag' },
    { place: 'draining', variant: 'dies' },
    { place: 'draining', variant: 'both_die' },
    { place: 'drained', variant: 'dies' },
    { place: 'drained', variant: 'silent' },
    { place: 'draining', variant: 'drain_bad' },
    { place: 'draining', variant: 'drain_bad_told' },
    { place: 'drained, baking', variant: 'bad_jobs' },
    { place: 'drained, baking', variant: 'dies' },
    { place: 'drained, baking', variant: 'signals' },
    { place: 'drained, baking', variant: 'starving' },
    { place: 'drained, baking', variant: 'ephemeral' },
  ] as const;
  return some.map((one) => ({ record: 'fresh', ...one, active: 'pink' }));
}

/** Time for a host to boot and a canary to run. Each passed deadline costs thousands of checks. */
const healthcheckTimeoutMs = 240_000;

function stack(variant: Variant | undefined, place: Beginning['place']): StackSettings {
  const bakes = place === 'drained, baking' || place === 'baked';
  const forMs = place === 'baked' ? 60_000 : bakeMs;
  const { healthcheck, ...rest } = bakes ? bakingStack({ forMs }) : stackSettings();
  const usual = { ...rest, healthcheck: { ...healthcheck, timeoutMs: healthcheckTimeoutMs } };
  return variant === undefined ? usual : configured(usual, variant);
}

/** Bake duration that leaves some minutes when a run resumes the bake. */
const bakeMs = 900_000;

/**
 * Durations that leave two minutes of a build when a drain resumes. For a job of two hours, a drain
 * would poll hundreds of times without any difference.
 */
const longBuildMs = { atOnce: 450_000, afterTenMinutes: 1_050_000 };

/** Age at which earlier observations prove nothing any more, without host access. */
const longerThanAnyProofMs = 2_000_000;

/** Opens the world at a beginning, under customer jobs and with an empty history. */
export async function openBeginning(
  beginning: Beginning,
  {
    gitlab = gitlabOf(beginning),
    ...chosen
  }: Pick<Reaching, 'longBuildMs'> & { gitlab?: GitLabVersion } = {},
): Promise<World> {
  const { place, active, record, variant } = beginning;
  const behaviour = { gitlab, ...(variant === undefined ? {} : behaving(variant)) };
  const buildMs = isAtOnce(record) ? longBuildMs.atOnce : longBuildMs.afterTenMinutes;
  const reaching = { active: active as Shard, stack: stack(variant, place), behaviour };
  const world = await worldAt(place, { ...reaching, longBuildMs: buildMs, ...chosen, record });
  if (variant !== undefined) vary(world, variant);
  const isQuiet = variant === 'silent';
  if (!isQuiet)
    startStream(world, {
      everyMs: 25_000,
      durationsMs: [20_000, 70_000, 5000],
      tags: ['linux'],
      visible: true,
      project: 'customers/shop',
      count: 6,
    });
  const passedMs = isQuiet ? longerThanAnyProofMs : 32_000;
  if (place !== 'nothing') await createSimulation({ world }).advance(passedMs);
  world.history = [];
  absorb(world);
  return world;
}

/** Decides whether the next run starts right after the last job was killed. */
function isAtOnce(record: RecordKind): boolean {
  return record === 'resumed' || record === 'adopted';
}

async function worldAt(
  place: Place | 'nothing',
  { record, ...reaching }: Reaching & { stack: StackSettings; record: Beginning['record'] },
): Promise<World> {
  const { stack: of, behaviour = {} } = reaching;
  if (place === 'nothing') return emptyWorld({ stacks: [of], behaviour });
  if (isAtOnce(record)) return arrive(place, reaching);
  const world = await reach(place, reaching);
  if (record === 'edited') turnStatusAround(world);
  return world;
}
