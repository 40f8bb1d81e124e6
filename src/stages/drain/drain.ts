import {
  shardEntry,
  withDeployment,
  withoutClosing,
  withPhase,
} from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { DrainTally } from '../../domain/deployment/tally.ts';
import { type DrainLook, judgeDrain } from '../../domain/drain/drain.ts';
import { describeEstimate } from '../../domain/drain/drain-estimate.ts';
import { isEndable } from '../../domain/instance.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { capital } from '../../domain/text/capital.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { drainBlind } from '../../errors/drain.ts';
import { openedByOther } from '../../errors/service.ts';
import { lookUntil, notYet, seen } from '../../ports/look-until.ts';
import { ensureIntake } from '../candidate/routing.ts';
import { refuseOtherShards } from '../candidate/whose-registration.ts';
import { keepService } from '../service/service-keeper.ts';
import { type StageContext, timestamp, wordsOf } from '../walk/context.ts';
import { gate } from '../walk/effect.ts';
import { guarded } from '../walk/guarded.ts';
import { enforceLimits, isForced } from './drain-limits.ts';
import { listInstances, watchDrain } from './drain-look.ts';
import { countDrain, withDrainTally } from './drain-tally.ts';
import { refuseLastShard } from './last-shard.ts';
import { reportLost } from './lost-jobs.ts';
import { watchPromotedJobs } from './promoted-jobs.ts';

const looksAtOpened = 4;
const openedPauseMs = 1500;
/** As long as two looks of one drain may be apart. */
const carriedWithinMs = 60_000;

/** The step: close the intake, verify, count jobs until none is left. Resumable at any moment. */
export async function drain(context: StageContext, retiring: Shard): Promise<void> {
  const { journal, log } = context;
  const notProvenSince = await guarded(context, 'active_shard', () =>
    refuseLastShard(context, retiring),
  );
  if (isBefore(journal.current().deployment.phase, 'draining')) {
    await gate(context, retiring);
    const record = withoutClosing(journal.current());
    await journal.write(withPhase(record, 'draining', timestamp(context)));
  }
  const drained = await guarded(context, 'drained', () =>
    drainShard(context, retiring, { ...context.settings.drain, notProvenSince }),
  );
  const counted = withDrainTally(journal.current(), drained.tally);
  await journal.write(withPhase(counted, 'drained', timestamp(context)));
  log.act(`Drained ${retiring}: ${drained.reason}.`);
}

/** A person who opens what our drain has closed wants it open. */
async function refuseOpened(context: StageContext, shard: Shard): Promise<void> {
  const { journal, ports } = context;
  const { phase, closedAt } = journal.current().deployment;
  if (closedAt === undefined || phase === 'promoted') return;
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return;
  const cadence = { pollMs: openedPauseMs };
  // A read may be stale: open is only believed once it has lasted.
  const isOpen = await lookUntil({ clock: ports.clock, cadence }, async (looks) => {
    const found = await ports.registry.find(registration);
    if (found.kind === 'absent' || found.value.paused) return seen(false);
    return looks >= looksAtOpened ? seen(true) : notYet();
  });
  if (isOpen) throw tellOpened(context, shard, registration);
}

function tellOpened(context: StageContext, shard: Shard, registration: RegistrationId) {
  const { settings, stage, journal } = context;
  const { kind } = journal.current().deployment;
  const words = wordsOf(context);
  const runner = settings.runnerName;
  return openedByOther({ runner, stage, shard, registration, words, kind });
}

export interface Drained {
  readonly reason: string;
  /** For the record; absent where no customer's job could ever run there. */
  readonly tally: DrainTally | undefined;
}

export interface Draining {
  readonly pollOfRunnerMs: number;
  readonly confirmationMs: number;
  /** By our clock that never jumps, where the other shard was asked before and not proven to serve. */
  readonly notProvenSince?: number | undefined;
}

export async function drainShard(
  context: StageContext,
  shard: Shard,
  rules: Draining = context.settings.drain,
): Promise<Drained> {
  const { ports, settings, journal } = context;
  const startedAt = ports.clock.elapsed();
  const since = Date.parse(journal.current().deployment.phaseAt);
  const looks = looksOfThisRun(context, shard);
  const watch = watchDrain(context, shard);
  const count = countDrain(context, shard);
  const keeper = keepService(context, shard, rules.notProvenSince);
  const promotedJobs = watchPromotedJobs(context, shard);
  await refuseOpened(context, shard);
  await closeIntake(context, shard);
  await noteClosed(context, shard);
  const { pollMs } = settings.drain;
  const wait = { clock: ports.clock, cadence: { pollMs } };
  return lookUntil<Drained>(wait, async () => {
    await keeper.look();
    await promotedJobs.look();
    trim(looks);
    const look = await watch.look();
    looks.push(look);
    await count.see(look);
    const { idleWord, words } = ports.registry.traits;
    const judgement = judgeDrain(looks, { ...rules, idleWord, words });
    context.log.event({ kind: 'drain', shard, judgement });
    if (judgement.kind === 'drained') {
      context.drainLooks?.set(shard, looks);
      await reportLost(context, shard, judgement.lost);
      return seen({ reason: judgement.reason, tally: await count.settle(judgement.lost) });
    }
    if (judgement.kind === 'blind') {
      throw await tellBlind(context, shard, judgement.reason);
    }
    if (judgement.kind === 'reopened') {
      await refuseOpened(context, shard);
      looks.length = 0;
      await closeIntake(context, shard);
      return notYet({ kind: 'due', inMs: 0 });
    }
    if (judgement.kind === 'busy' && judgement.unproven === true && isForced(context)) {
      await count.killing(judgement.jobs);
      const reason = `drain.force_after has passed, and nobody says that no job is left: ${judgement.reason}`;
      return seen({ reason, tally: await count.settle([]) });
    }
    await enforceLimits(context, { shard, judgement, startedAt, since, count });
    const rest = judgement.kind === 'busy' ? `, ${describeEstimate(count.estimate())}` : '';
    context.log.wait(
      `Waiting: ${shard} drains, ${judgement.reason}, ${formatDuration(ports.clock.elapsed() - startedAt)}${rest}.`,
    );
    if (judgement.kind !== 'confirming') return notYet();
    // Counted from the look itself, whose answers took their time.
    const sinceLookMs = ports.clock.elapsed() - look.at;
    const due = notYet({ kind: 'due', inMs: judgement.forMs - sinceLookMs });
    // A host that comes back and speaks shortens the window.
    return look.hosts.some(({ kind }) => kind === 'silent') ? { ...due, atMostMs: pollMs } : due;
  });
}

/**
 * Where no host may be asked, the proof takes half an hour and more, and the removal needs it as well. In
 * the run that has just made it, it goes on: between two looks nobody sees more than between these.
 */
function looksOfThisRun({ ports, settings, drainLooks }: StageContext, shard: Shard): DrainLook[] {
  const looks = drainLooks?.get(shard) ?? [];
  const last = looks.at(-1);
  const isYoung = last !== undefined && ports.clock.elapsed() - last.at <= carriedWithinMs;
  return settings.host.access === 'none' && isYoung ? [...looks] : [];
}

async function tellBlind(context: StageContext, shard: Shard, reason: string) {
  const { settings, stage } = context;
  const { runnerName: runner } = settings;
  const asksHosts = settings.host.access !== 'none';
  const listed = asksHosts ? await listInstances(context.ports, { runnerName: runner, shard }) : [];
  const instances = (listed ?? []).filter(isEndable).map(({ id }) => id);
  return drainBlind({ runner, shard, stage, reason, asksHosts, instances });
}

/** Only once the pause was seen: what is noted here is ours to open again. */
async function noteClosed({ journal, ...context }: StageContext, shard: Shard): Promise<void> {
  const { deployment } = journal.current();
  if (deployment.retiring !== shard || deployment.closedAt !== undefined) return;
  const closedAt = timestamp(context);
  await journal.write(withDeployment(journal.current(), { closedAt }));
}

/** A drain of days must not keep every look: the idle run and its first member are enough. */
function trim(looks: DrainLook[]): void {
  if (looks.length > 5000) looks.splice(1, looks.length - 5000);
}

async function closeIntake(context: StageContext, shard: Shard): Promise<void> {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (registration === undefined) return;
  const found = await context.ports.registry.find(registration);
  if (found.kind === 'absent') {
    context.log.warn(
      `${capital(wordsOf(context).registration)} ${registration} of ${shard} was deleted by somebody else; its jobs are looked for on its hosts.`,
    );
    return;
  }
  await refuseOtherShards(context, shard, found.value);
  await ensureIntake(context, { shard, id: registration, intake: 'closed' });
}
