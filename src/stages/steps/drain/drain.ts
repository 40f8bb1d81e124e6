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
import { lost } from '../../service/recovery-by-force.ts';
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
import { requireOtherAccepting } from './require-other-shard.ts';
import { tolerateFailedPolls } from './tolerate-outage.ts';

/** Maximum time between two checks of one drain. */
const carriedWithinMs = 60_000;

/** Pauses the shard, verifies the pause, and waits until no job is left. Always resumable. */
export async function drain(
  context: StageContext,
  retiring: Shard,
  watchBake: typeof bakeBeside,
): Promise<StepResult> {
  const { journal, log } = context;
  const checkOtherShard = () =>
    withGuardEvent(context, 'active_shard', () => requireOtherAccepting(context, retiring));
  const checked = await checkOtherShard();
  if (checked.kind === 'rollback') return checked;
  let { notProvenSince } = checked;
  const proof = createProof(context, retiring, {
    first: checked.seenAt,
    async read() {
      const again = await checkOtherShard();
      // A gate cannot begin a rollback; the next run begins it.
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
  /** Tally for the record; absent if no customer job could ever run on the shard. */
  readonly tally: DrainTally | undefined;
  /** Runner as read at the beginning; absent if the last check did not find one. */
  readonly known?: Registration | undefined;
}

type DrainEnd = Drained | Rollback | RetryLater;

export interface Draining {
  readonly pollOfRunnerMs: number;
  readonly confirmationMs: number;
  /** Monotonic time since which the other shard has not been verified, from an earlier check. */
  readonly notProvenSince?: number | undefined;
  /** Proof that the other shard accepts jobs, which the pause relies on. */
  readonly proof?: Proof;
  /** Runner as read before the drain, unpaused. */
  readonly open?: Registration | undefined;
  /** Checks of the promoted shard; absent if no bake can end this drain. */
  readonly watchBake?: typeof bakeBeside;
}

/** Drains a shard outside a bake: a candidate, or the retiring shard after the bake. */
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
  const observations = pollsOfThisRun(context, shard);
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
  const outage = tolerateFailedPolls(context, { shard, startedAt, since });
  const checkOnce = async (): Promise<PollResult<DrainEnd>> => {
    const rollback = await findRollback([keeper, promotedJobs, ...beside]);
    if (rollback !== undefined) return done(rollback);
    const checked = await watch.check(schedule.ahead());
    const { facts: observation } = checked;
    // After a gap in polling, earlier confirmations are void: a job may have started unseen.
    const last = observations.at(-1);
    const isTorn = last !== undefined && observation.at - last.at > carriedWithinMs;
    if (isTorn && outage.isUnderWay()) observations.length = 0;
    trim(observations, observation);
    observations.push(observation);
    if (observation.registration.kind === 'gone') warnOfDeletedRunner(context, shard);
    await count.see(observation);
    const verdict = judgeDrain(observations, { ...rules, ...rulesOf(context) });
    context.log.event({ kind: 'drain', shard, judgement: verdict });
    if (verdict.kind === 'drained') {
      context.memory.drainChecks.set(shard, observations);
      await reportLost(context, shard, verdict.lost);
      const known = observation.registration.kind === 'seen' ? before : undefined;
      const tally = await count.settle(verdict.lost);
      return done({ kind: 'drained', reason: verdict.reason, tally, known });
    }
    if (verdict.kind === 'blind') {
      const registrationGone = observation.registration.kind === 'gone';
      throw await warnOfBlindDrain(context, shard, { reason: verdict.reason, registrationGone });
    }
    if (verdict.kind === 'reopened') {
      await requireStillPaused(context, shard, 'drain');
      observations.length = 0;
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
    const times = [took, ...estimatesOf(verdict, count)].join('; ');
    context.log.wait(`Waiting for ${shard} to drain: ${verdict.reason} (${times}).`);
    return schedule.after(verdict, checked);
  };
  return pollUntil<DrainEnd>(wait, () => outage.over(checkOnce));
}

/** Returns the first rollback that a watch of the promoted shard requires. */
async function findRollback(
  watchers: ReadonlyArray<{ check(): Promise<Rollback | undefined> }>,
): Promise<Rollback | undefined> {
  for (const watcher of watchers) {
    const rollback = await watcher.check();
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
 * Returns the earlier polls of this run. Without host access the proof takes 30 minutes, and the
 * removal needs it too. It continues if the last poll is recent.
 */
function pollsOfThisRun(
  { ports, settings, memory }: StageContext,
  shard: Shard,
): DrainObservation[] {
  const observations = memory.drainChecks.get(shard) ?? [];
  const last = observations.at(-1);
  const isYoung = last !== undefined && ports.clock.elapsed() - last.at <= carriedWithinMs;
  return settings.host.access === 'none' && isYoung ? [...observations] : [];
}

/** Limits the kept checks in a drain of days. Checks before a busy one confirm nothing. */
function trim(observations: DrainObservation[], { hosts }: DrainObservation): void {
  const isBusy = hosts.some(runsJobs) && hosts.every(({ kind }) => kind !== 'silent');
  if (isBusy) observations.length = 0;
  else if (observations.length > 5000) observations.splice(1, observations.length - 5000);
}
