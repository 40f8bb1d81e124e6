import { settingsDigest } from '../../fingerprint/fingerprint.ts';
import type { Registration } from '../../registration.ts';
import type { StackSettings } from '../../settings.ts';
import type { Shard } from '../../shard.ts';
import { type DeploymentRecord, shardEntry } from '../record.ts';

type Tagged = Pick<Registration, 'tags' | 'runUntagged'>;

/** Whose registration it is, and what is known of what that shard was deployed for. */
export interface OfShard {
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly record: DeploymentRecord | undefined;
}

/**
 * Whether jobs of today's configuration could be matched to it. One tag is enough. GitHub's labels know no
 * upper and lower case, and keep the letters that they were first written in; GitLab's tags do.
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
 * Whether a customer's job could be matched to it. What was deployed before may have none of the tags of
 * today: of a shard that was ever in production any tag but a canary's counts, and so it does without a record.
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
 * The same for a proof of service: what is being deployed has to have tags of today, and so has what was
 * deployed with just what is configured today, whose tags somebody has changed since.
 */
export function servesByItsTags(registration: Tagged, of: OfShard): boolean {
  return wasMeantForToday(of)
    ? takesConfiguredJobs(registration, of.settings)
    : takesCustomerJobs(registration, of);
}

function wasMeantForToday({ shard, settings, record }: OfShard): boolean {
  if (record === undefined || record.deployment.candidate !== shard) return false;
  const { phase, fingerprint } = record.deployment;
  return phase !== 'done' || fingerprint?.settings === settingsDigest(settings);
}

/** Of any deployment of this stack, as `canary-tag.ts` makes them: of long or odd names a digest is the end. */
export function isCanaryTag(
  tag: string,
  { runnerName, registration }: Pick<StackSettings, 'runnerName' | 'registration'>,
): boolean {
  if (registration.tags.includes(tag)) return false;
  return (
    tag.startsWith('canary-') && (tag.endsWith(`-${runnerName}`) || /-[0-9a-f]{12}$/.test(tag))
  );
}
