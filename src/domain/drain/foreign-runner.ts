import type { Execution, RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';

/**
 * A registration that has the shard's description and is not the one of the record: a person has made it,
 * and its manager may run on the shard's own machine. What runs there is a customer's job on the shard.
 */
export interface OtherRunner {
  readonly id: string;
  /** Not paused, and a manager of it was there: it may be given a job at any moment. */
  readonly open: boolean;
  readonly execution: Execution;
  readonly jobs: readonly RegistryJob[];
}

/** Empty for no: none of them has a job, and none may be given one. */
export function whyOthersAreBusy(
  others: readonly OtherRunner[] | undefined,
  { registry, registration, paused }: RegistryTerms,
): string | undefined {
  for (const { id, open, execution, jobs } of others ?? []) {
    const [job] = jobs;
    const which = `${registration} ${id}, which has the description of the shard and is not ours`;
    if (job !== undefined) return `job ${job.id} "${job.name}" is ${job.status} on ${which}`;
    if (execution === 'active')
      return `${registry} says that a job that this token cannot see runs on ${which}`;
    if (open)
      return `${which}, is not ${paused}: ${warnOfOtherRunner({ registry, registration, id })}`;
  }
  return undefined;
}

/** Whether nothing but an open registration keeps the shard busy: no wait ends that. */
export function isKeptOpen(
  jobs: readonly RegistryJob[],
  others: readonly OtherRunner[] | undefined,
): boolean {
  if (jobs.length > 0 || others === undefined) return false;
  return others.some(({ open }) => open) && others.every(({ execution }) => execution !== 'active');
}

/** What a person does about it; nothing of it is ours to remove. */
export function warnOfOtherRunner({
  registry,
  registration,
  id,
}: Pick<RegistryTerms, 'registry' | 'registration'> & { readonly id: string }): string {
  return `delete ${registration} ${id} in ${registry}, or give it another description there and take its manager off the machines of the shard`;
}
