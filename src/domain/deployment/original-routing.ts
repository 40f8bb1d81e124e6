import type { Registration } from '../registration.ts';
import type { Shard } from '../shard.ts';
import { hasRegistrationMark } from './onboarding.ts';
import { type DeploymentRecord, shardEntry, withShard } from './record.ts';

/** How a registration was before an activation took it. */
export interface OriginalRouting {
  /** Absent where the record has no room for them. */
  readonly tags?: readonly string[];
  readonly runUntagged: boolean;
  readonly paused: boolean;
  /** Nothing else of its shard is left: it is being given this back, or has it, and is a person's again. */
  readonly isRestoring?: true;
}

/** More of them would leave the record, of 4096 bytes, no room for what it is for. */
const mostBytesOfTags = 512;

/** What a way back gives back to a registration that an activation takes; undefined for what is ours. */
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

/** What is taken once more is given back once more. */
function withoutRestoring(before: OriginalRouting | undefined): OriginalRouting | undefined {
  if (before === undefined) return undefined;
  const { isRestoring: _, ...kept } = before;
  return kept;
}

/** Written before anything of it is given back, so that no later run takes it again. */
export function withRestoring(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  const { routingBefore } = shardEntry(record, shard);
  if (routingBefore === undefined) return record;
  return withShard(record, shard, { routingBefore: { ...routingBefore, isRestoring: true } });
}

/** From its promotion on it is the shard's, whoever has made it. */
export function withoutOriginalRouting(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  const { routingBefore: _, ...entry } = shardEntry(record, shard);
  return { ...record, shards: { ...record.shards, [shard]: entry } };
}
