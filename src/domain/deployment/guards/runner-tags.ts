import { settingsDigest } from '../../fingerprint/fingerprint.ts';
import type { Registration } from '../../registration.ts';
import type { StackSettings } from '../../settings.ts';
import type { Shard } from '../../shard.ts';
import { type DeploymentRecord, shardEntry } from '../record.ts';

type Tagged = Pick<Registration, 'tags' | 'runUntagged'>;

/** Shard of a runner, and the facts about its last deployment. */
export interface OfShard {
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly record: DeploymentRecord | undefined;
}

/**
 * Returns whether a job of the current configuration may match the runner. One common tag suffices.
 * GitHub's labels ignore case and keep their first spelling; GitLab's tags are case-sensitive.
 */
export function takesConfiguredJobs(
  { tags, runUntagged }: Tagged,
  { registration, github }: Pick<StackSettings, 'registration' | 'github'>,
): boolean {
  const matched = (tag: string) => (github === undefined ? tag : tag.toLowerCase());
  const own = tags.map(matched);
  return runUntagged || registration.tags.some((tag) => own.includes(matched(tag)));
}

/**
 * Returns whether a customer job may match the runner. An earlier deployment may have used other
 * tags. For a shard that was in production, or without a record, any tag except a canary's counts.
 */
export function takesCustomerJobs(
  registration: Tagged,
  { settings, record, shard }: OfShard,
): boolean {
  if (takesConfiguredJobs(registration, settings)) return true;
  if (record !== undefined && !shardEntry(record, shard).productionTag) return false;
  return registration.tags.some((tag) => !isCanaryTag(tag, settings));
}

/**
 * Returns whether the tags count as proof that the shard accepts jobs. A shard deployed with the
 * current configuration must have tags of that configuration. An operator may have changed them
 * since.
 */
export function hasProductionTags(registration: Tagged, of: OfShard): boolean {
  return wasMeantForToday(of)
    ? takesConfiguredJobs(registration, of.settings)
    : takesCustomerJobs(registration, of);
}

function wasMeantForToday({ shard, settings, record }: OfShard): boolean {
  if (record === undefined || record.deployment.candidate !== shard) return false;
  const { phase, fingerprint } = record.deployment;
  return phase !== 'done' || fingerprint?.settings === settingsDigest(settings);
}

/**
 * Returns whether a tag is from a canary of any deployment of this stack. `canary-tag.ts` ends the
 * tags of long or unusual names with a digest.
 */
export function isCanaryTag(
  tag: string,
  { runnerName, registration }: Pick<StackSettings, 'runnerName' | 'registration'>,
): boolean {
  if (registration.tags.includes(tag)) return false;
  return (
    tag.startsWith('canary-') && (tag.endsWith(`-${runnerName}`) || /-[0-9a-f]{12}$/.test(tag))
  );
}
