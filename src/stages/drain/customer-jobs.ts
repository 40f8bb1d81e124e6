import { shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { FinishedJob, JobHistory } from '../../ports/registry.ts';
import { customersAmong, withoutAnyCanary } from '../health/own-canaries.ts';
import type { StageContext } from '../walk/context.ts';

/** Only for counting: what cannot be listed is not known, and nothing depends on it. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return undefined;
  }
}

/** The newest finished jobs of a shard; undefined where they cannot be listed. */
export async function finishedOn(
  { ports, journal }: StageContext,
  shard: Shard,
): Promise<readonly FinishedJob[] | undefined> {
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return undefined;
  const found = await unlessRefused(ports.registry.listFinishedJobs(registration));
  return found?.kind === 'found' ? found.value : undefined;
}

/** All that has ended on a shard, as far back as it is listed; undefined where that cannot be had. */
export async function historyOn(
  { ports, journal }: StageContext,
  shard: Shard,
): Promise<JobHistory | undefined> {
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return undefined;
  const found = await unlessRefused(ports.registry.readJobHistory(registration));
  return found?.kind === 'found' ? found.value : undefined;
}

/**
 * Milliseconds: the longest that a customer's job has waited for a runner, of those that started on
 * either shard since the deployment did. GitLab's word and GitLab's clock, but for the moment of the
 * deployment's start, which is ours. Undefined where no such job is seen: that is not "no wait".
 */
export async function longestWait(context: StageContext): Promise<number | undefined> {
  const { candidate, retiring, startedAt } = context.journal.current().deployment;
  const jobs = [];
  for (const shard of [candidate, retiring]) {
    if (shard === undefined) continue;
    // A canary that another run has begun waited for nobody's sake; its id is in no record.
    const ended = withoutAnyCanary(context, (await finishedOn(context, shard)) ?? []);
    jobs.push(...ended, ...(await runningOn(context, shard)));
  }
  const waited = jobs.filter(
    (job) => job.queuedMs !== undefined && Date.parse(job.startedAt ?? '') >= Date.parse(startedAt),
  );
  const waits = (await customersAmong(context, waited)).flatMap(({ queuedMs }) => queuedMs ?? []);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

async function runningOn({ ports, journal }: StageContext, shard: Shard) {
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return [];
  const found = await unlessRefused(ports.registry.listJobs(registration));
  return found?.kind === 'found' ? found.value : [];
}
