import type { Registration } from '../registration.ts';
import type { Shard } from '../shard.ts';
import { hasRegistrationMark } from './onboarding.ts';
import { type DeploymentRecord, shardEntry, withShard } from './record.ts';

/** Settings of a runner before an activation changed them. */
export interface OriginalRouting {
  /** Absent if the record has no space for them. */
  readonly tags?: readonly string[];
  readonly runUntagged: boolean;
  readonly paused: boolean;
  /** Set when the rest of the shard is removed: the settings are being restored, or were. */
  readonly isRestoring?: true;
}

/** Limit of tags: more would fill the record of 4096 bytes. */
const mostBytesOfTags = 512;

/**
 * Returns the settings to restore after an activation; undefined for a runner of hosted-runner.
 */
export function originalRouting({
  registration: { id, note, tags, runUntagged, paused },
  shard,
  record,
}: {
  readonly registration: Registration;
  readonly shard: Shard;
  readonly record: DeploymentRecord | undefined;
}): OriginalRouting | undefined {
  const entry = shardEntry(record, shard);
  if (entry.registration === id) return withoutRestoring(entry.routingBefore);
  if (hasRegistrationMark(note)) return undefined;
  const fits = Buffer.byteLength(JSON.stringify(tags)) <= mostBytesOfTags;
  return { ...(fits ? { tags } : {}), runUntagged, paused };
}

/** Removes the mark of the restore: a runner that is activated again is restored again. */
function withoutRestoring(before: OriginalRouting | undefined): OriginalRouting | undefined {
  if (before === undefined) return undefined;
  const { isRestoring: _, ...kept } = before;
  return kept;
}

/** Marks the restore before it starts: no later run then takes the runner again. */
export function withRestoring(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  const { routingBefore } = shardEntry(record, shard);
  if (routingBefore === undefined) return record;
  return withShard(record, shard, { routingBefore: { ...routingBefore, isRestoring: true } });
}

/** Removes the earlier settings: from its promotion on, the runner belongs to the shard. */
export function withoutOriginalRouting(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  const { routingBefore: _, ...entry } = shardEntry(record, shard);
  return { ...record, shards: { ...record.shards, [shard]: entry } };
}
