import type { BakeNote } from '../../../domain/bake/bake-note.ts';
import { type BakeCheck, type BakeVerdict, judgeBake } from '../../../domain/bake/judge-bake.ts';
import { latencyOf } from '../../../domain/bake/latency.ts';
import type { StageContext } from '../../context/context.ts';
import type { BakeEvaluator, BakeMemory } from '../../context/run-memory.ts';
import { createBakeWatch } from './bake-watch.ts';

/** Two days of checks at the usual interval. Only the last check contains the jobs. */
const usuallyKept = 3000;
/** Returns how many checks to keep: enough for the slowest signal with missing responses. */
export function checksToKeep(bake: Parameters<typeof latencyOf>[0]): number {
  return Math.max(usuallyKept, 2 * Math.ceil(latencyOf(bake).signalsMs / bake.pollMs));
}

/** Tolerated difference between two clocks, including the time to take a lock. */
const clockToleranceMs = 60_000;

/** Pause after a failed search for a rollback target. */
const wayEveryMs = 300_000;

function createBakeEvaluator(context: StageContext, note: BakeNote): BakeEvaluator {
  const { clock } = context.ports;
  const { candidate } = context.journal.current().deployment;
  const bake = { ...context.settings.bake, forMs: context.settings.bake.forMs ?? note.forMs };
  const watch = createBakeWatch(context);
  const checks: BakeCheck[] = [];
  // Changes of the wall clock during the run must not shorten the bake.
  const [openedAt, elapsedAtBegin] = [clock.now(), clock.elapsed()];
  // A clock ahead of the promoting run's clock must not shorten the bake either.
  let aheadMs = 0;
  const ownNow = () => openedAt + clock.elapsed() - elapsedAtBegin;
  const now = () => ownNow() - aheadMs;
  let verdict: BakeVerdict | undefined;
  let dueAt = clock.elapsed();
  let checksPastEnd = 0;
  let lostWayAt = Number.NEGATIVE_INFINITY;

  const sincePromotedMs = () => Math.max(0, now() - Date.parse(note.since));
  const isOver = () => now() >= Date.parse(note.until);

  return {
    isOver,
    hasWay: () => clock.elapsed() - lostWayAt >= wayEveryMs,
    agreeOn(byOther) {
      const ownMs = ownNow() - Date.parse(note.since);
      const isAhead = byOther !== undefined && ownMs - byOther > clockToleranceMs;
      aheadMs = isAhead ? ownMs - byOther : 0;
      if (!isOver()) checksPastEnd = 0;
    },
    losesWay() {
      lostWayAt = clock.elapsed();
    },
    isWatched: () => sincePromotedMs() >= bake.forMs,
    dueInMs: () => Math.max(0, dueAt - clock.elapsed()),
    async check(using, when = 'due') {
      if (verdict !== undefined && when === 'due' && clock.elapsed() < dueAt) return verdict;
      const needed = when === 'now' ? needsOf(verdict) : undefined;
      verdict = await checkOnce(using, needed);
      const needs = needsOf(verdict);
      if (when === 'now' && needed === undefined && needs !== undefined)
        verdict = await checkOnce(using, needs);
      return verdict;
    },
  };

  async function checkOnce(using: StageContext, needs: 'canary' | undefined): Promise<BakeVerdict> {
    const { isListed, ...check } = await watch.check(using, needs);
    checks.push(check);
    if (checks.length > checksToKeep(bake)) checks.shift();
    if (isOver()) checksPastEnd += 1;
    const facts = {
      checks,
      sincePromotedMs: sincePromotedMs(),
      checksPastEnd,
      settings: bake,
    };
    const result = judgeBake(facts);
    using.log.event({
      kind: 'bake',
      shard: candidate,
      verdict: result.kind,
      reason: result.reason,
      ...(isListed ? { finished: check.finished } : {}),
      wanted: bake.jobs,
    });
    const isWaiting = result.kind === 'watching' && result.needs === undefined;
    dueAt = clock.elapsed() + (isWaiting ? result.nextCheckMs : bake.pollMs);
    return result;
  }
}

/** Returns the check that needs the lock. */
function needsOf(verdict: BakeVerdict | undefined): 'canary' | undefined {
  return verdict?.kind === 'watching' ? verdict.needs : undefined;
}

/** Returns the bake state that this process keeps between locks; empty for a new deployment. */
export function carriedOf({ memory, journal }: StageContext): BakeMemory {
  const { id } = journal.current().deployment;
  if (memory.bake?.deployment !== id)
    memory.bake = {
      deployment: id,
      judge: undefined,
      keeper: undefined,
      proofRequestedAt: undefined,
    };
  return memory.bake;
}

/** Returns the `BakeJudge` of this process. */
export function judgeOfRun(context: StageContext, note: BakeNote): BakeEvaluator {
  const carried = carriedOf(context);
  carried.judge ??= createBakeEvaluator(context, note);
  return carried.judge;
}
