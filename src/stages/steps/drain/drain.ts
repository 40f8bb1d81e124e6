import { withPhase } from '../../../domain/deployment/record.ts';
import { isBefore } from '../../../domain/deployment/stages-and-steps.ts';
import type { DrainTally } from '../../../domain/deployment/tally.ts';
import { runsJobs } from '../../../domain/drain/drain-by-hosts.ts';
import { type DrainObservation, judgeDrain } from '../../../domain/drain/drain-check.ts';
import { withIntake } from '../../../domain/drain/shard-intake.ts';
import { otherShard, type Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { done, type PollResult, pending, pollUntil } from '../../../ports/poll.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type StageContext, timestamp } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import type { RetryLater, Rollback, StepResult } from '../../context/result.ts';
import { gate, type Proof } from '../../effects/effect-gate.ts';
import {
  findPause,
  notePaused,
  notePauseUnconfirmed,
  pauseIntake,
  requireStillPaused,
  warnOfDeletedRunner,
} from '../../service/intake.ts';
import { createProof } from '../../service/proof.ts';
import { lost } from '../../service/recovery-when-none-serves.ts';
import { keepService } from '../../service/service-keeper.ts';
import type { bakeBeside } from '../bake/bake.ts';
import { warnOfBlindDrain } from './blind-drain.ts';
import { watchPromotedJobs } from './candidate-jobs.ts';
import {
  chooseForcedEnd,
  endByForce,
  enforceLimits,
  estimatesOf,
  untilNextLimit,
} from './drain-limits.ts';
import { countDrain, withDrainTally } from './drain-tally.ts';
import { scheduleChecks, watchDrain } from './drain-watch.ts';
import { createJobKiller } from './job-kills.ts';
import { reportLost, warnOfDisagreement } from './job-loss.ts';
import { requireOtherServes } from './require-other-serves.ts';
import { tolerateFailedPolls } from './tolerate-outage.ts';

/** As long as two looks of one drain may be apart. */
const carriedWithinMs = 60_000;

/** The step: close the intake, verify, count jobs until none is left. Resumable at any moment. */
export async function drain(
  context: StageContext,
  retiring: Shard,
  watchBake: typeof bakeBeside,
): Promise<StepResult> {
  const { journal, log } = context;
  const checkOtherShard = () =>
    withGuardEvent(context, 'active_shard', () => requireOtherServes(context, retiring));
  const asked = await checkOtherShard();
  if (asked.kind === 'rollback') return asked;
  let { notProvenSince } = asked;
  const proof = createProof(context, retiring, {
    first: asked.seenAt,
    async ask() {
      const again = await checkOtherShard();
      // A gate cannot begin a rollback: the next run does.
      if (again.kind === 'rollback') throw await warnOfLostJobs(context, retiring, again.reason);
      notProvenSince ??= again.notProvenSince;
      return again.seenAt;
    },
  });
  let open: Registration | undefined;
  if (isBefore(journal.current().deployment.phase, 'draining')) {
    const found = await findPause(context, retiring);
    open = found.open;
    const snapshot = await gate(context, retiring, proof);
    const at = timestamp(context);
    const event = found.wasPausedByOperator ? 'drain_finds_pause' : 'drain_begins';
    const record = withIntake(journal.current(), retiring, event, at);
    await journal.write(withPhase(record, 'draining', at), snapshot);
  } else await notePauseUnconfirmed(context, retiring);
  const drained = await withGuardEvent(context, 'drained', () =>
    drainShard(context, retiring, {
      ...context.settings.drain,
      ...{ notProvenSince, proof, open, watchBake },
    }),
  );
  if (drained.kind !== 'drained') return drained;
  const counted = withDrainTally(journal.current(), drained.tally);
  await journal.write(withPhase(counted, 'drained', timestamp(context)));
  log.act(`Drained ${retiring}: ${drained.reason}.`);
  return { kind: 'done' };
}

function warnOfLostJobs(context: StageContext, drained: Shard, reason: string) {
  const other = otherShard(context.settings.shards, drained);
  return lost(context, { drained, other, service: { kind: 'disproven', reason }, opened: true });
}

export interface Drained {
  readonly kind: 'drained';
  readonly reason: string;
  /** For the record; absent where no customer's job could ever run there. */
  readonly tally: DrainTally | undefined;
  /** The registration as it was read when this began; absent if the last check did not see one. */
  readonly known?: Registration | undefined;
}

type DrainEnd = Drained | Rollback | RetryLater;

export interface Draining {
  readonly pollOfRunnerMs: number;
  readonly confirmationMs: number;
  /** By our clock that never jumps, where the other shard was asked before and not proven to serve. */
  readonly notProvenSince?: number | undefined;
  /** That the other shard serves: what closes this one rests on it. */
  readonly proof?: Proof;
  /** The registration, as it was read before the drain began, taking jobs. */
  readonly open?: Registration | undefined;
  /** Judges the promoted shard as well; absent if no bake can end this drain. */
  readonly watchBake?: typeof bakeBeside;
}

/** A drain while no bake can end: of a candidate, or once more after the bake. */
export async function drainUnbaked(
  context: StageContext,
  shard: Shard,
  rules?: Draining,
): Promise<Drained> {
  const drained = await drainShard(context, shard, rules);
  if (drained.kind === 'drained') return drained;
  if (drained.kind === 'retry_later') throw drained.error;
  throw new Error(`a rollback of ${shard} without a bake: ${drained.reason}`);
}

export async function drainShard(
  context: StageContext,
  shard: Shard,
  rules: Draining = context.settings.drain,
): Promise<DrainEnd> {
  const { ports, settings, journal } = context;
  const startedAt = ports.clock.elapsed();
  const since = Date.parse(journal.current().deployment.phaseAt);
  const looks = pollsOfThisRun(context, shard);
  const watch = watchDrain(context, shard);
  const count = countDrain(context, shard);
  const killer = createJobKiller(context, shard);
  const keeper = keepService(context, shard, rules.notProvenSince);
  const promotedJobs = watchPromotedJobs(context, shard);
  const beside = rules.watchBake === undefined ? [] : [rules.watchBake(context, shard)];
  const before = (await requireStillPaused(context, shard)) ?? rules.open;
  await pauseIntake(context, shard, { proof: rules.proof, seen: before });
  await notePaused(context, shard);
  const wait = { clock: ports.clock, cadence: { pollMs: settings.drain.pollMs } };
  const schedule = scheduleChecks(context, {
    usualEnd: count.usualEnd,
    untilLimitMs: () => untilNextLimit(context, { startedAt, since }),
    besides: [keeper, ...beside],
  });
  const silence = tolerateFailedPolls(context, { shard, startedAt, since });
  const checkOnce = async (): Promise<PollResult<DrainEnd>> => {
    const rollback = await findRollback([keeper, promotedJobs, ...beside]);
    if (rollback !== undefined) return done(rollback);
    const checked = await watch.look(schedule.ahead());
    const { look } = checked;
    // Whoever came in a silence was seen by nobody: what was confirmed before it counts no more.
    const last = looks.at(-1);
    const isTorn = last !== undefined && look.at - last.at > carriedWithinMs;
    if (isTorn && silence.isUnderWay()) looks.length = 0;
    trim(looks, look);
    looks.push(look);
    if (look.registration.kind === 'gone') warnOfDeletedRunner(context, shard);
    await count.see(look);
    const verdict = judgeDrain(looks, { ...rules, ...rulesOf(context) });
    context.log.event({ kind: 'drain', shard, judgement: verdict });
    if (verdict.kind === 'drained') {
      context.memory.drainChecks.set(shard, looks);
      await reportLost(context, shard, verdict.lost);
      const known = look.registration.kind === 'seen' ? before : undefined;
      const tally = await count.settle(verdict.lost);
      return done({ kind: 'drained', reason: verdict.reason, tally, known });
    }
    if (verdict.kind === 'blind') {
      const registrationGone = look.registration.kind === 'gone';
      throw await warnOfBlindDrain(context, shard, { reason: verdict.reason, registrationGone });
    }
    if (verdict.kind === 'reopened') {
      await requireStillPaused(context, shard, 'drain');
      looks.length = 0;
      await pauseIntake(context, shard);
      return pending({ kind: 'at', inMs: 0 });
    }
    if (verdict.kind === 'busy') {
      const forced = chooseForcedEnd(context, verdict);
      if (forced !== undefined)
        return done({ kind: 'drained', ...(await endByForce(context, count, verdict, forced)) });
      warnOfDisagreement(context, verdict);
    }
    const limits = { shard, verdict, startedAt, since, count, killer };
    const unfinished = await enforceLimits(context, limits);
    if (unfinished !== undefined) return done(unfinished);
    const took = formatDuration(ports.clock.elapsed() - startedAt);
    const waits = [`${shard} drains`, verdict.reason, took, ...estimatesOf(verdict, count)];
    context.log.wait(`Waiting: ${waits.join(', ')}.`);
    return schedule.after(verdict, checked);
  };
  return pollUntil<DrainEnd>(wait, () => silence.over(checkOnce));
}

/** The first rollback that is found by those who watch the promoted shard. */
async function findRollback(
  watchers: ReadonlyArray<{ look(): Promise<Rollback | undefined> }>,
): Promise<Rollback | undefined> {
  for (const watcher of watchers) {
    const rollback = await watcher.look();
    if (rollback !== undefined) return rollback;
  }
  return undefined;
}

function rulesOf({ ports, settings, journal }: StageContext) {
  const { idleSource, words } = ports.registry.traits;
  const counted = journal.current().deployment.tally?.drain;
  return { managers: settings.managers, idleSource, words, counted };
}

/**
 * Where no host may be asked, the proof takes half an hour and more, and the removal needs it as well. In
 * the run that has just made it, it goes on: between two looks nobody sees more than between these.
 */
function pollsOfThisRun(
  { ports, settings, memory }: StageContext,
  shard: Shard,
): DrainObservation[] {
  const looks = memory.drainChecks.get(shard) ?? [];
  const last = looks.at(-1);
  const isYoung = last !== undefined && ports.clock.elapsed() - last.at <= carriedWithinMs;
  return settings.host.access === 'none' && isYoung ? [...looks] : [];
}

/** A drain of days must not keep every check: nothing is confirmed before one in which a host runs a job. */
function trim(looks: DrainObservation[], { hosts }: DrainObservation): void {
  const isBusy = hosts.some(runsJobs) && hosts.every(({ kind }) => kind !== 'silent');
  if (isBusy) looks.length = 0;
  else if (looks.length > 5000) looks.splice(1, looks.length - 5000);
}
