import type { StackShard } from '../../../domain/shard.ts';

/** Keys of the tags whose values are the stack's and the shard's name. */
export interface TagKeys {
  readonly stackTag: string;
  readonly shardTag: string;
}

/** Compares both values exactly: another stack's name may begin with this one. */
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
 * Decides whether a response contains these tags. The request filters by the tags, so every entry
 * must have them. An entry without them may belong to this shard, and must not count as gone.
 */
export function hasTags(given: GivenTags, wanted: readonly string[]): boolean {
  const givenKeys = new Set(given?.flatMap(({ Key, Value }) => (Value === undefined ? [] : Key)));
  const hasKeys = given?.every(({ Key }) => Key !== undefined) ?? true;
  return hasKeys && wanted.every((key) => givenKeys.has(key));
}

/**
 * Decides whether each tag has key and value, for a response that lists all tags without a filter.
 */
export function isWhole(given: GivenTags): boolean {
  return given?.every(({ Key, Value }) => Key !== undefined && Value !== undefined) ?? true;
}
