import { shardEntry } from '../../../domain/deployment/record.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { answerOr } from '../../../ports/failure.ts';
import type { FinishedJob, Found, JobHistory, RegistryJob } from '../../../ports/registry.ts';
import type { StageContext } from '../../context/context.ts';
import { customersAmong, withoutAnyCanary } from '../../observe/canary-ownership.ts';

/** Reads a list for statistics only; returns undefined if it cannot be read. */
async function foundOn<T>(
  { journal }: StageContext,
  shard: Shard,
  read: (registration: RegistrationId) => Promise<Found<T>>,
): Promise<T | undefined> {
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return undefined;
  const found = await answerOr(() => read(registration), undefined);
  return found?.kind === 'found' ? found.value : undefined;
}

/** Returns the newest finished jobs of a shard; undefined if they cannot be listed. */
export async function finishedOn(
  context: StageContext,
  shard: Shard,
): Promise<readonly FinishedJob[] | undefined> {
  return foundOn(context, shard, (id) => context.ports.registry.listFinishedJobs(id));
}

/** Lists of a shard's jobs. A list is undefined if it cannot be read. */
interface ListedJobs {
  readonly finished: readonly FinishedJob[] | undefined;
  readonly running: readonly RegistryJob[] | undefined;
}

/** Returns both lists of a shard's jobs, with one request if its runner has few jobs. */
export async function jobsOn(context: StageContext, shard: Shard): Promise<ListedJobs> {
  const { registry } = context.ports;
  const newest = await foundOn(context, shard, (id) => registry.listNewestJobs(id));
  if (newest?.isWhole === true) return { finished: newest.finished, running: newest.jobs };
  return {
    finished: await finishedOn(context, shard),
    running: await foundOn(context, shard, (id) => registry.listJobs(id)),
  };
}

/** Returns a shard's finished jobs, as far back as they are listed; undefined if unreadable. */
export async function historyOn(
  context: StageContext,
  shard: Shard,
): Promise<JobHistory | undefined> {
  return foundOn(context, shard, (id) => context.ports.registry.readJobHistory(id));
}

/**
 * Returns the longest time in milliseconds that a customer job has waited for a runner. It covers
 * jobs that started on either shard since the deployment's start by the local clock; GitLab reports
 * the waits. Returns 0 if all lists were read and contain no such job. Returns undefined if a list
 * was not read, or no wait is known.
 */
export async function longestWait(
  context: StageContext,
  /** Lists of a shard that the caller has just read. */
  known: { readonly shard: Shard; readonly listed: ListedJobs },
): Promise<number | undefined> {
  const { candidate, retiring, startedAt } = context.journal.current().deployment;
  const jobs = [];
  let isWhole = true;
  for (const shard of [candidate, retiring]) {
    if (shard === undefined) continue;
    const { finished, running } =
      shard === known.shard ? known.listed : await jobsOn(context, shard);
    isWhole &&= finished !== undefined && running !== undefined;
    // Excludes canaries of other runs: they are no customer jobs, and no record contains their ids.
    jobs.push(...withoutAnyCanary(context, finished ?? []), ...(running ?? []));
  }
  const began = jobs.filter(({ startedAt: at }) => Date.parse(at ?? '') >= Date.parse(startedAt));
  const customers = await customersAmong(context, began);
  const waits = customers.flatMap(({ queuedMs }) => queuedMs ?? []);
  if (waits.length > 0) return Math.max(...waits);
  return isWhole && customers.length === 0 ? 0 : undefined;
}
