import { shardEntry } from '../../../domain/deployment/record.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { answerOr } from '../../../ports/failure.ts';
import type { FinishedJob, Found, JobHistory, RegistryJob } from '../../../ports/registry.ts';
import type { StageContext } from '../../context/context.ts';
import { customersAmong, withoutAnyCanary } from '../../observe/canary-ownership.ts';

/** Only for counting: what cannot be listed is not known, and nothing depends on it. */
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

/** The newest finished jobs of a shard; undefined where they cannot be listed. */
export async function finishedOn(
  context: StageContext,
  shard: Shard,
): Promise<readonly FinishedJob[] | undefined> {
  return foundOn(context, shard, (id) => context.ports.registry.listFinishedJobs(id));
}

/** Each list is undefined where it cannot be read. */
interface ListedJobs {
  readonly finished: readonly FinishedJob[] | undefined;
  readonly running: readonly RegistryJob[] | undefined;
}

/** Both lists of a shard's jobs, by one request if its runner has few. */
export async function jobsOn(context: StageContext, shard: Shard): Promise<ListedJobs> {
  const { registry } = context.ports;
  const newest = await foundOn(context, shard, (id) => registry.listNewestJobs(id));
  if (newest?.isWhole === true) return { finished: newest.finished, running: newest.jobs };
  return {
    finished: await finishedOn(context, shard),
    running: await foundOn(context, shard, (id) => registry.listJobs(id)),
  };
}

/** All that has ended on a shard, as far back as it is listed; undefined where that cannot be had. */
export async function historyOn(
  context: StageContext,
  shard: Shard,
): Promise<JobHistory | undefined> {
  return foundOn(context, shard, (id) => context.ports.registry.readJobHistory(id));
}

/**
 * Milliseconds: the longest that a customer's job has waited for a runner, of those that started on
 * either shard since the deployment did. GitLab's word and GitLab's clock, but for the moment of the
 * deployment's start, which is ours. 0 if every list was read and has no such job; undefined if one was not
 * read, or says of no job how long it waited.
 */
export async function longestWait(
  context: StageContext,
  /** The lists of a shard whose jobs were just read. */
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
    // A canary that another run has begun waited for nobody's sake; its id is in no record.
    jobs.push(...withoutAnyCanary(context, finished ?? []), ...(running ?? []));
  }
  const began = jobs.filter(({ startedAt: at }) => Date.parse(at ?? '') >= Date.parse(startedAt));
  const customers = await customersAmong(context, began);
  const waits = customers.flatMap(({ queuedMs }) => queuedMs ?? []);
  if (waits.length > 0) return Math.max(...waits);
  return isWhole && customers.length === 0 ? 0 : undefined;
}
