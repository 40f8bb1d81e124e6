import type { StackShard } from '../../../domain/shard.ts';

/** Keys of the tags whose values are the stack's and the shard's name. */
export interface TagKeys {
  readonly stackTag: string;
  readonly shardTag: string;
}

/** Both values exactly: a name that begins with ours is another stack. */
export function isTaggedAs(
  tags: Readonly<Record<string, string>>,
  keys: TagKeys,
  { runnerName, shard }: StackShard,
): boolean {
  return tags[keys.stackTag] === runnerName && tags[keys.shardTag] === shard;
}

type GivenTags = readonly { Key?: string | undefined; Value?: string | undefined }[] | undefined;

export function toTags(given: GivenTags): Readonly<Record<string, string>> {
  return Object.fromEntries((given ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
}

/**
 * Whether an answer tells these tags. AWS was asked for what has them, so that an entry without is no
 * other's: what is not told there might be ours, and nothing may be taken for gone by it.
 */
export function hasTags(given: GivenTags, wanted: readonly string[]): boolean {
  const givenKeys = new Set(given?.flatMap(({ Key, Value }) => (Value === undefined ? [] : Key)));
  const hasKeys = given?.every(({ Key }) => Key !== undefined) ?? true;
  return hasKeys && wanted.every((key) => givenKeys.has(key));
}

/** Whether each tag has its key and its value, where all are listed and none is filtered by. */
export function isWhole(given: GivenTags): boolean {
  return given?.every(({ Key, Value }) => Key !== undefined && Value !== undefined) ?? true;
}
