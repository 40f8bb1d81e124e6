import type { Execution, RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';

/**
 * Runner that has the shard's description and is not in the record: an operator created it. Its
 * manager may run on the shard's machine, so its jobs are customer jobs on the shard.
 */
export interface OtherRunner {
  readonly id: string;
  /** Unpaused, with a manager that contacted the registry: a job may be assigned at any moment. */
  readonly open: boolean;
  readonly execution: Execution;
  readonly jobs: readonly RegistryJob[];
}

/** Returns undefined if no other runner has a job or can receive one. */
export function whyOthersAreBusy(
  others: readonly OtherRunner[] | undefined,
  { registry, registration, paused }: RegistryTerms,
): string | undefined {
  for (const { id, open, execution, jobs } of others ?? []) {
    const [job] = jobs;
    const which = `${registration} ${id}, which has the description of the shard but was not created by hosted-runner`;
    if (job !== undefined) return `job ${job.id} "${job.name}" is ${job.status} on ${which}`;
    if (execution === 'active')
      return `${registry} reports that a job that this token cannot see runs on ${which}`;
    if (open)
      return `${which}, is not ${paused}: ${warnOfOtherRunner({ registry, registration, id })}`;
  }
  return undefined;
}

/** Returns whether only another unpaused runner keeps the shard busy: no wait ends that. */
export function isKeptOpen(
  jobs: readonly RegistryJob[],
  others: readonly OtherRunner[] | undefined,
): boolean {
  if (jobs.length > 0 || others === undefined) return false;
  return others.some(({ open }) => open) && others.every(({ execution }) => execution !== 'active');
}

/** Formats the operator's fix: hosted-runner never removes a runner that an operator created. */
export function warnOfOtherRunner({
  registry,
  registration,
  id,
}: Pick<RegistryTerms, 'registry' | 'registration'> & { readonly id: string }): string {
  return `delete ${registration} ${id} in ${registry}, or give it another description there and remove its manager from the machines of the shard`;
}
