import type { StackShard } from '../domain/shard.ts';

/** Keys of the tags whose values are the stack's and the shard's name. */
export interface TagKeys {
  readonly stackTag: string;
  readonly shardTag: string;
}

/** Both values exactly: a name that begins with ours is another stack. */
export function isTagged(
  tags: Readonly<Record<string, string>>,
  keys: TagKeys,
  { runnerName, shard }: StackShard,
): boolean {
  return tags[keys.stackTag] === runnerName && tags[keys.shardTag] === shard;
}

export function toTags(
  given: readonly { Key?: string | undefined; Value?: string | undefined }[] | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries((given ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
}
