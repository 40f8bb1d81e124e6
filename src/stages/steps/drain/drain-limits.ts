import { mayRemove } from '../../../domain/deployment/guards/removal-rules.ts';
import type { DrainTally } from '../../../domain/deployment/tally.ts';
import type { DrainVerdict } from '../../../domain/drain/drain-check.ts';
import { describeEstimate } from '../../../domain/drain/drain-estimate.ts';
import { describeJobs } from '../../../domain/drain/job-text.ts';
import {
  describeDropped,
  endRegistryOnly,
  formatUnended,
} from '../../../domain/drain/registry-only.ts';
import { pausedSince } from '../../../domain/drain/shard-intake.ts';
import type { Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { drainJobTooShort, drainTimedOut, drainUnfinished } from '../../../errors/drain-errors.ts';
import { isNews, type StageContext, warnOnce, wordsOf } from '../../context/context.ts';
import type { RetryLater } from '../../context/result.ts';
import { deadlineOf, isDeadlineWithin } from '../../effects/deadline.ts';
import { listInstances } from '../../observe/host-ends.ts';
import { openShardSources } from '../../observe/shard-sources.ts';
import type { DrainCount } from './drain-tally.ts';
import type { JobKiller } from './job-kills.ts';

type Busy = Extract<DrainVerdict, { kind: 'busy' }>;

/** Time to report the unfinished drain, before the CI ends this job. */
const marginMs = 60_000;

interface Limits {
  readonly shard: Shard;
  readonly verdict: DrainVerdict;
  readonly startedAt: number;
  readonly since: number;
  /** Absent if no source reports the running jobs. */
  readonly count?: DrainCount;
  readonly killer?: JobKiller;
}

/**
 * Enforces the limits of a drain. No limit leads to destruction, except `force_after`, which an
 * operator sets explicitly and which is reported.
 * @returns the end of the step if this run has no time left to wait
 */
export async function enforceLimits(
  context: StageContext,
  { shard, verdict, startedAt, since, count, killer }: Limits,
): Promise<RetryLater | undefined> {
  const { ports, settings, stage, journal } = context;
  const now = ports.clock.now();
  const jobs = verdict.kind === 'busy' ? verdict.jobs : [];
  const facts = {
    runner: settings.runnerName,
    shard,
    stage,
    reason: verdict.reason,
    jobs: [
      ...describeJobs(jobs, now),
      ...estimatesOf(verdict, count).map((text) => `Estimate: ${text}.`),
    ],
    registryOnly: describeEnd(context, verdict),
  };
  const { timeoutMs, forceAfterMs, pollMs } = settings.drain;
  if (jobs.length > 0) notifyOnce(context, { shard, since, jobs: describeJobs(jobs, now) });
  const subject = { record: journal.current(), shard, words: wordsOf(context) };
  const limit = { drainsForMs: now - since, forceAfterMs };
  if (mayRemove({ act: 'force_after', ...subject, ...limit, drainVerdict: verdict }).may) {
    const unheard = (await killer?.kill(jobs, count)) ?? [];
    // A hanging host delays each check. The deadline must be handled here, before the CI ends this
    // run during a check.
    if (!isDeadlineWithin(context, pollMs + marginMs)) return undefined;
    const reason = `drain.force_after has passed, and ${unheard.join(', ')}; ${verdict.reason}`;
    return unfinished(unheard.length === 0 ? facts : { ...facts, reason });
  }
  const waitedMs = waitedFor(context, { startedAt, since });
  if (timeoutMs !== undefined && verdict.kind === 'busy' && waitedMs >= timeoutMs) {
    // On GitHub, removing a runner cancels its job, so no host access is needed.
    const readsHosts = settings.host.access !== 'none' || settings.github !== undefined;
    throw drainTimedOut({ ...facts, after: formatDuration(timeoutMs), readsHosts });
  }
  const ends = isDeadlineWithin(context, pollMs + marginMs);
  // An unresponsive host may recover. Without host access, waiting cannot help.
  if (ends || settings.host.access === 'none') refuseShortJob(context, facts, verdict);
  if (!ends) return undefined;
  const byOther = verdict.kind === 'busy' && verdict.byOther === true;
  return unfinished({ ...facts, byOther, stopped: await findStopped(context, shard, verdict) });
}

function unfinished(facts: Parameters<typeof drainUnfinished>[0]): RetryLater {
  return { kind: 'retry_later', error: drainUnfinished(facts) };
}

/** Warns after `drain.notify_after`. A warning is more visible than the lines of a wait. */
function notifyOnce(
  context: StageContext,
  { shard, since, jobs }: Pick<Limits, 'shard' | 'since'> & { readonly jobs: readonly string[] },
): void {
  const { notifyAfterMs } = context.settings.drain;
  const forMs = context.ports.clock.now() - since;
  if (notifyAfterMs === undefined || forMs < notifyAfterMs) return;
  if (!isNews(context, `drain.notify_after ${shard}`)) return;
  context.log.warn(
    `${shard} still drains after ${formatDuration(forMs)} (drain.notify_after): ${jobs.join('; ')}.`,
  );
}

/**
 * Returns the time that counts against the limit. A run that starts after the limit gets the whole
 * limit again; otherwise no run could continue.
 */
function waitedFor(
  { ports, settings }: StageContext,
  { startedAt, since }: Pick<Limits, 'startedAt' | 'since'>,
): number {
  const waitedMs = ports.clock.now() - since;
  const runForMs = ports.clock.elapsed() - startedAt;
  return waitedMs - runForMs >= (settings.drain.timeoutMs ?? 0) ? runForMs : waitedMs;
}

/** Returns the milliseconds until the next limit of this drain or run; infinite without one. */
export function untilNextLimit(
  context: StageContext,
  began: Pick<Limits, 'startedAt' | 'since'>,
): number {
  const { settings, ports, journal } = context;
  const { timeoutMs, forceAfterMs, notifyAfterMs, pollMs } = settings.drain;
  const now = ports.clock.now();
  const deadline = deadlineOf(context);
  const limits = [
    ...(timeoutMs === undefined ? [] : [timeoutMs - waitedFor(context, began)]),
    ...(notifyAfterMs === undefined ? [] : [began.since + notifyAfterMs - now]),
    ...(forceAfterMs === undefined
      ? []
      : [began.since, Date.parse(pausedSince(journal.current()) ?? '')].map(
          (from) => from + forceAfterMs - now,
        )),
    ...(deadline === undefined ? [] : [deadline - now - pollMs - marginMs]),
  ];
  return Math.min(Number.POSITIVE_INFINITY, ...limits.filter((ms) => ms > 0));
}

/** Lists stopped machines if no source can report their jobs: they must be started first. */
async function findStopped(
  context: StageContext,
  shard: Shard,
  verdict: DrainVerdict,
): Promise<readonly string[]> {
  if (verdict.kind !== 'busy' || verdict.unproven !== true) return [];
  const listed = await listInstances(openShardSources(context, shard));
  return (listed ?? [])
    .filter(({ state }) => state === 'stopped' || state === 'stopping')
    .map(({ id }) => id);
}

/** Returns whether `drain.force_after` has passed since the shard was paused. */
export function isForced({ ports, settings, journal }: StageContext): boolean {
  const { forceAfterMs } = settings.drain;
  if (forceAfterMs === undefined) return false;
  const record = journal.current();
  const since = pausedSince(record) ?? record.deployment.phaseAt;
  return ports.clock.now() - Date.parse(since) >= forceAfterMs;
}

/** Chooses the end of a drain by `drain.force_after`, before the registry reports it. */
export function chooseForcedEnd(
  context: StageContext,
  verdict: DrainVerdict,
): { readonly reason: string; readonly kills: boolean } | undefined {
  if (verdict.kind !== 'busy' || !isForced(context)) return undefined;
  const { reason, unproven, registryOnly } = verdict;
  if (unproven === true) {
    const why = `drain.force_after has passed, and no source confirms that no job is left: ${reason}`;
    return { reason: why, kills: true };
  }
  if (registryOnly?.current !== true || !registryOnly.confirmed) return undefined;
  return { reason: `drain.force_after has passed: ${reason}`, kills: false };
}

export async function endByForce(
  context: StageContext,
  count: DrainCount,
  { jobs }: Busy,
  { reason, kills }: { readonly reason: string; readonly kills: boolean },
): Promise<{ readonly reason: string; readonly tally: DrainTally | undefined }> {
  const { registry } = wordsOf(context);
  const unended = await count.findUnended(jobs);
  if (jobs.length === 0 && unended.length === 0 && !kills)
    warnOnce(context, `Unknown end: a job that ${registry} reports and this token cannot list.`);
  // The removal ends its own drain in the same run, and knows only the job ids.
  const fresh = unended.filter(({ id }) => isNews(context, `unended ${id}`));
  for (const line of formatUnended(fresh, registry)) context.log.warn(line);
  if (kills) {
    await count.killing(jobs);
    return { reason, tally: await count.settle([]) };
  }
  for (const job of jobs) warnOnce(context, describeDropped(job, registry));
  return { reason, tally: await count.settle(jobs, 'registry_only') };
}

function refuseShortJob(
  context: StageContext,
  facts: { runner: string; shard: string; stage: string; reason: string },
  verdict: DrainVerdict,
): void {
  const { timeLimitMs } = context.run;
  if (verdict.kind !== 'confirming' || timeLimitMs === undefined) return;
  const { neededMs } = verdict;
  if (fitsInto(timeLimitMs, neededMs, context.settings.drain)) return;
  throw drainJobTooShort({
    ...facts,
    needs: formatDuration(neededMs),
    timeout: formatDuration(neededMs + 10 * 60_000),
    lasts: formatDuration(timeLimitMs),
    registry: wordsOf(context).registry,
  });
}

/** Returns whether a job with this time limit could wait for so long and then report. */
export function fitsInto(
  timeLimitMs: number,
  neededMs: number,
  { pollMs }: Pick<StageContext['settings']['drain'], 'pollMs'>,
): boolean {
  return neededMs + pollMs + marginMs < timeLimitMs;
}

/** Describes how jobs end that only the registry lists. */
function describeEnd(context: StageContext, verdict: DrainVerdict): string | undefined {
  if (verdict.kind !== 'busy' || verdict.registryOnly?.confirmed !== true) return undefined;
  const { registry } = wordsOf(context);
  const { forceAfterMs } = context.settings.drain;
  return endRegistryOnly(verdict.registryOnly.jobs, { registry, forceAfterMs });
}

/** Returns no estimate if only the registry lists the jobs: such a job never ends by itself. */
export function estimatesOf(verdict: DrainVerdict, count: DrainCount | undefined): string[] {
  const isEstimated = verdict.kind === 'busy' && verdict.registryOnly?.confirmed !== true;
  return isEstimated ? [describeEstimate(count?.estimate())] : [];
}
