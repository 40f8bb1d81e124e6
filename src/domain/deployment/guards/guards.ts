import type { Registration, RegistryJob } from '../../registration.ts';
import type { RegistryTerms } from '../../registry-terms.ts';
import type { StackSettings } from '../../settings.ts';
import { type Shard, shardDescription } from '../../shard.ts';
import { type OfShard, servesByItsTags, takesCustomerJobs } from './runner-tags.ts';

/** Empty for yes; otherwise why the effect must not happen. */
export type Refusal = string | undefined;

/** An inactive shard that serves jobs is never touched. */
export function refuseHealthyCandidate(facts: {
  readonly of: OfShard;
  readonly registration: Registration | undefined;
  /** Without the canary. */
  readonly jobs: readonly RegistryJob[];
  readonly words: RegistryTerms;
}): Refusal {
  const { of, registration, jobs, words } = facts;
  const { shard } = of;
  if (registration === undefined) return undefined;
  if (jobs[0] !== undefined) {
    const tags = takesCustomerJobs(registration, of) ? [] : registration.tags;
    return `${words.registration} ${registration.id}: ${describeForeignJob(jobs[0], { shard, tags, words })}`;
  }
  if (!registration.paused && takesCustomerJobs(registration, of)) {
    return `${words.registration} ${registration.id} is not ${words.paused} and has the production ${words.tags} ${registration.tags.join(', ')}`;
  }
  return undefined;
}

/** What a person looks for where a job that is not ours runs on a shard that nobody should reach. */
export function describeForeignJob(
  job: RegistryJob,
  { shard, tags, words }: { shard: Shard; tags: readonly string[]; words: RegistryTerms },
): string {
  const hint =
    tags.length === 0
      ? ''
      : `; it is not our canary, so ${job.project} asks for the ${words.tag} ${tags.join(' or ')} itself`;
  return `job ${job.id} "${job.name}" of ${job.project} is ${job.status} on ${shard}${hint}`;
}

/** Whether a shard is proven to serve, as far as the registry can prove it. */
export function isServing(registration: Registration | undefined, of: OfShard): boolean {
  return (
    registration !== undefined &&
    !registration.paused &&
    registration.contacted &&
    servesByItsTags(registration, of)
  );
}

/** Rule 7: a stage never touches the shard whose runner runs it. */
export function refuseOwnRunner(facts: {
  readonly ownRegistrationId: string | undefined;
  readonly registrationId: string | undefined;
  readonly shard: Shard;
  readonly settings: StackSettings;
}): Refusal {
  const { ownRegistrationId, registrationId, shard, settings } = facts;
  if (ownRegistrationId === undefined || ownRegistrationId !== registrationId) return undefined;
  const name = shardDescription({ runnerName: settings.runnerName, shard });
  return `this job runs on runner ${ownRegistrationId} "${name}", the very shard that it would touch`;
}
