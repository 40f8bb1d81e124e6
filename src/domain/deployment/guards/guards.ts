import type { Registration, RegistryJob } from '../../registration.ts';
import type { RegistryTerms } from '../../registry-terms.ts';
import type { StackSettings } from '../../settings.ts';
import { type Shard, shardDescription } from '../../shard.ts';
import { hasProductionTags, type OfShard, takesCustomerJobs } from './runner-tags.ts';

/** Reason why the effect must not happen; empty if it may. */
export type Refusal = string | undefined;

/** Refuses to change an inactive shard that accepts jobs. */
export function refuseHealthyCandidate(facts: {
  readonly of: OfShard;
  readonly registration: Registration | undefined;
  /** Jobs without the canary. */
  readonly jobs: readonly RegistryJob[];
  readonly words: RegistryTerms;
}): Refusal {
  const { of, registration, jobs, words } = facts;
  const { shard } = of;
  if (registration === undefined) return undefined;
  if (jobs[0] !== undefined) {
    const tags = takesCustomerJobs(registration, of) ? [] : registration.tags;
    return `${words.registration} ${registration.id} has a job: ${describeForeignJob(jobs[0], { shard, tags, words })}`;
  }
  if (!registration.paused && takesCustomerJobs(registration, of)) {
    return `${words.registration} ${registration.id} of ${shard} is not ${words.paused} and has the production ${words.tags} ${registration.tags.join(', ')}`;
  }
  return undefined;
}

/** Describes a customer job on a shard in quarantine, with the tag through which it came. */
export function describeForeignJob(
  job: RegistryJob,
  { shard, tags, words }: { shard: Shard; tags: readonly string[]; words: RegistryTerms },
): string {
  const hint =
    tags.length === 0
      ? ''
      : `; it is not the canary of hosted-runner, so ${job.project} itself requests the ${words.tag} ${tags.join(' or ')}`;
  return `job ${job.id} "${job.name}" of ${job.project} is ${job.status} on ${shard}${hint}`;
}

/** Returns whether a shard accepts jobs, as far as the registry reports it. */
export function isAcceptingJobs(registration: Registration | undefined, of: OfShard): boolean {
  return (
    registration !== undefined &&
    !registration.paused &&
    registration.contacted &&
    hasProductionTags(registration, of)
  );
}

/** Refuses to change the shard whose runner runs this job (rule 7). */
export function refuseOwnRunner(facts: {
  readonly ownRegistrationId: string | undefined;
  readonly registrationId: string | undefined;
  readonly shard: Shard;
  readonly settings: StackSettings;
}): Refusal {
  const { ownRegistrationId, registrationId, shard, settings } = facts;
  if (ownRegistrationId === undefined || ownRegistrationId !== registrationId) return undefined;
  const name = shardDescription({ runnerName: settings.runnerName, shard });
  return `this job runs on runner ${ownRegistrationId} "${name}", which belongs to the shard that it would change`;
}
