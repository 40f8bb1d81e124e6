import { type DeploymentRecord, shardEntry } from '../../../domain/deployment/record.ts';
import {
  type BrokenJob,
  beginDrainTally,
  type DrainTally,
  emptyTally,
  type LimitChoice,
  type LostWhy,
  withBroken,
  withJobs,
  withLost,
} from '../../../domain/deployment/tally.ts';
import type { DrainObservation } from '../../../domain/drain/drain-check.ts';
import {
  type DrainEstimate,
  estimateDrain,
  noUsualEnd,
  type UsualEnd,
  usualEndOf,
} from '../../../domain/drain/drain-estimate.ts';
import type { UnendedJob } from '../../../domain/drain/registry-only.ts';
import { endOf, isRunnersFault } from '../../../domain/health/runner-faults.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { FinishedJob, RegistryJob } from '../../../ports/registry.ts';
import { type StageContext, timestamp } from '../../context/context.ts';
import {
  createCustomersOnly,
  customersAmong,
  withoutAnyCanary,
} from '../../observe/canary-ownership.ts';
import { finishedOn, historyOn, jobsOn, longestWait } from '../bake/customer-jobs.ts';

/** Statistics of one drain, kept in the record for later runs to continue. */
export interface DrainCount {
  see(observation: DrainObservation): Promise<void>;
  /** Notes kills before they happen, because a kill may succeed without a response. */
  killing(jobs: readonly RegistryJob[]): Promise<void>;
  estimate(): DrainEstimate | undefined;
  /** Returns the usual end of the jobs in the last check. */
  usualEnd(): UsualEnd;
  /** Finds jobs that ran, that `listed` no longer contains, and whose end is not reported. */
  findUnended(listed: readonly RegistryJob[]): Promise<readonly UnendedJob[]>;
  /** Returns the final tally once no job runs. The caller writes it with the phase. */
  settle(lost: readonly RegistryJob[], why?: LostWhy): Promise<DrainTally | undefined>;
}

/** Counts the jobs of a drain. */
export function countDrain(context: StageContext, shard: Shard): DrainCount {
  const { journal } = context;
  if (!shardEntry(journal.current(), shard).productionTag) return countUntagged(context);
  const customers = createCustomersOnly(context);
  let written = journal.current().deployment.tally?.drain;
  let tally = withLimits(context, written ?? begin(context));
  let hostsReportedMore = false;
  let finished: readonly FinishedJob[] | undefined;
  let rest: DrainEstimate | undefined;
  let lastListed: readonly UnendedJob[] = [];
  let runningJobs: readonly RegistryJob[] = [];

  async function keep(next: DrainTally): Promise<void> {
    const isNew = next !== tally;
    tally = next;
    // For an idle shard, the tally is written once, at the end of its drain.
    if (!isNew && (tally === written || tally.seen.length === 0)) return;
    written = tally;
    await journal.write(withDrainTally(journal.current(), tally));
  }

  return {
    async see(observation) {
      const jobs = await customers(observation.jobs);
      const running = jobs.filter(({ status }) => status !== 'assigned');
      runningJobs = running;
      const hidden =
        tally.hidden ||
        reportsMore(observation) ||
        (hostsReportedMore && hostsReportMore(observation));
      hostsReportedMore = hostsReportMore(observation);
      const ids = running.map(({ id }) => id);
      const seen = withJobs(tally, ids);
      if (running.length > 0) {
        lastListed = running;
        finished ??= await finishedOn(context, shard);
        rest = estimateDrain(running, finished ?? [], context.ports.clock.now());
      } else rest = undefined;
      const updated = hidden === seen.hidden ? seen : { ...seen, hidden };
      await keep(running.length > 0 ? withExpected(context, updated, rest) : updated);
    },
    killing: async (jobs) => keep(withBroken(tally, await customers(jobs), 'killed')),
    estimate: () => rest,
    usualEnd: () => usualEndOf(runningJobs, finished ?? [], context.ports.clock.now()),
    async findUnended(listed) {
      // The record keeps only the ids of jobs that an earlier run saw.
      const jobs = lastListed.length > 0 ? lastListed : tally.seen.map((id) => ({ id }));
      const seen = jobs.map(({ id }) => id);
      const newest = await finishedOn(context, shard);
      const ended = await endedOn(context, shard, { newest, seen, seenBeyond: 0 });
      return jobs.filter(({ id }) => ![...listed, ...ended].some((one) => one.id === id));
    },
    async settle(lost, why = 'host_gone') {
      if (tally.settled && lost.length === 0) return tally;
      const broken = withLost(tally, await customers(lost), why);
      tally = { ...(await learnEndings(context, shard, broken)), settled: true };
      context.log.event({ kind: 'drained', shard, tally });
      return tally;
    },
  };
}

/** Counts nothing on a shard without a production tag. Without runner and hosts, it had no job. */
function countUntagged(context: StageContext): DrainCount {
  let isAbsent = false;
  return {
    async see({ registration, hosts, jobs }) {
      isAbsent = registration.kind === 'gone' && hosts.length === 0 && jobs.length === 0;
    },
    killing: async () => undefined,
    estimate: () => undefined,
    usualEnd: () => noUsualEnd,
    findUnended: async () => [],
    async settle() {
      return isAbsent ? { ...begin(context), longestWaitMs: 0, settled: true } : undefined;
    },
  };
}

export function withDrainTally(
  record: DeploymentRecord,
  drain: DrainTally | undefined,
): DeploymentRecord {
  if (drain === undefined) return record;
  const tally = { ...(record.deployment.tally ?? emptyTally), drain };
  return { ...record, deployment: { ...record.deployment, tally } };
}

function begin(context: StageContext): DrainTally {
  return beginDrainTally(timestamp(context));
}

/** Notes the limits. A limit stays noted as its run's choice until its value changes. */
function withLimits({ settings, run }: StageContext, tally: DrainTally): DrainTally {
  const { timeoutMs, forceAfterMs, chosenIn } = settings.drain;
  const choice = (ms: number | undefined, from: string | undefined, before?: LimitChoice) => {
    if (ms === undefined) return undefined;
    const where = from ?? 'the configuration';
    if (before?.ms === ms && before.from === where) return before;
    return { ms, from: where, by: run.by, job: run.jobId };
  };
  const timeout = choice(timeoutMs, chosenIn?.timeout, tally.timeout);
  const forceAfter = choice(forceAfterMs, chosenIn?.forceAfter, tally.forceAfter);
  if (timeout === tally.timeout && forceAfter === tally.forceAfter) return tally;
  const { timeout: _, forceAfter: __, ...rest } = tally;
  return {
    ...rest,
    ...(timeout === undefined ? {} : { timeout }),
    ...(forceAfter === undefined ? {} : { forceAfter }),
  };
}

const expectedWithinMs = 60_000;

/** Updates the expected end of the drain; an expected end in the past is removed. */
function withExpected(
  { ports }: StageContext,
  tally: DrainTally,
  rest: DrainEstimate | undefined,
): DrainTally {
  const now = ports.clock.now();
  const { expectedAt, ...others } = tally;
  const before = expectedAt === undefined ? undefined : Date.parse(expectedAt);
  if (rest === undefined) return before !== undefined && before < now ? others : tally;
  const at = now + rest.restMs;
  if (before !== undefined && Math.abs(before - at) < expectedWithinMs) return tally;
  return { ...tally, expectedAt: new Date(at).toISOString() };
}

/** Returns whether GitLab reports activity beyond its job list, or reports nothing. */
function reportsMore({ registration, jobs, hosts }: DrainObservation): boolean {
  if (registration.kind === 'seen' && registration.execution === 'idle') return false;
  if (registration.kind === 'seen' && registration.execution === 'active') return jobs.length === 0;
  const word = hosts.every(
    (host) => host.kind === 'stopped' || (host.kind === 'jobs' && host.count === 0),
  );
  return hosts.length === 0 || !word;
}

/** Returns whether the hosts report more jobs; counts only twice, as a job may end in between. */
function hostsReportMore({ jobs, hosts }: DrainObservation): boolean {
  const onHosts = hosts.reduce((sum, host) => sum + (host.kind === 'jobs' ? host.count : 0), 0);
  return onHosts > jobs.length;
}

/** Returns the newest finished jobs, or all listed ones if a job of this drain may be missing. */
async function endedOn(
  context: StageContext,
  shard: Shard,
  {
    newest,
    seen,
    seenBeyond,
  }: Pick<DrainTally, 'seen' | 'seenBeyond'> & { newest: readonly FinishedJob[] | undefined },
): Promise<readonly FinishedJob[]> {
  if (newest === undefined) return [];
  const isWhole = seenBeyond === 0 && seen.every((id) => newest.some((job) => job.id === id));
  if (isWhole) return newest;
  const history = await historyOn(context, shard);
  const older = history === undefined ? [] : [...history.jobs, ...history.older.failed];
  return [...new Map([...older, ...newest].map((job) => [job.id, job])).values()];
}

/**
 * Selects the jobs of this drain by their ids. If an earlier run saw more jobs than the record
 * keeps, their end time decides.
 */
async function ranIn(
  context: StageContext,
  { seen, seenBeyond, since }: DrainTally,
  finished: readonly FinishedJob[],
): Promise<readonly FinishedJob[]> {
  const known = finished.filter(({ id }) => seen.includes(id));
  if (seenBeyond === 0) return known;
  const later = finished.filter((job) => !seen.includes(job.id) && endOf(job) >= Date.parse(since));
  return [...known, ...(await customersAmong(context, withoutAnyCanary(context, later)))];
}

/** Adds the final results of the jobs: failed by the runner, or survived a kill. */
async function learnEndings(
  context: StageContext,
  shard: Shard,
  tally: DrainTally,
): Promise<DrainTally> {
  const listed = await jobsOn(context, shard);
  const finished = await endedOn(context, shard, { ...tally, newest: listed.finished });
  const ran = await ranIn(context, tally, finished);
  const failed = ran.filter(isRunnersFault);
  const survived = new Set(ran.filter(({ status }) => status === 'success').map(({ id }) => id));
  const isTrue = ({ id, why }: BrokenJob) => why !== 'killed' || !survived.has(id);
  const kept = { ...tally, broken: tally.broken.filter(isTrue) };
  const seenWait = await longestWait(context, { shard, listed });
  // An empty list proves nothing if the token may not see all jobs, or if a known job is missing.
  const isListed = tally.seen.every((id) => finished.some((job) => job.id === id));
  const wait = seenWait === 0 && (tally.hidden || !isListed) ? undefined : seenWait;
  const longestWaitMs = Math.max(wait ?? 0, tally.longestWaitMs ?? 0);
  const known = withBroken(kept, failed, 'runner_failed');
  return wait === undefined && tally.longestWaitMs === undefined
    ? known
    : { ...known, longestWaitMs };
}
