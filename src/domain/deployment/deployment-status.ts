import { isShard, otherShard, type Shard, type ShardPair } from '../shard.ts';
import { parseJson } from '../text/json.ts';

/**
 * Content of `deployment_status`. Operators edit it, so all but the two valid texts are `invalid`.
 */
export type Status =
  | { readonly kind: 'absent' }
  | { readonly kind: 'known'; readonly active: Shard; readonly inactive: Shard }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Parses the status; tolerates only spacing and key order. */
export function parseStatus(text: string | undefined, shards: ShardPair): Status {
  if (text === undefined) return { kind: 'absent' };
  if (text.trim() === '') return invalid('it is empty');
  const value = parseJson(text);
  if (value === undefined) return invalid(`it is not JSON: ${quote(text)}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid(`it is not an object: ${quote(text)}`);
  }
  const {
    active_shard: active,
    inactive_shard: inactive,
    ...others
  } = value as Record<string, unknown>;
  const unknownKeys = Object.keys(others);
  if (unknownKeys.length > 0)
    return invalid(`it has the unknown key ${quote(unknownKeys[0] ?? '')}`);
  if (typeof active !== 'string') return invalid('active_shard is missing or not a text');
  if (typeof inactive !== 'string') return invalid('inactive_shard is missing or not a text');
  if (!isShard(shards, active))
    return invalid(`active_shard is the unknown shard ${quote(active)}`);
  if (!isShard(shards, inactive))
    return invalid(`inactive_shard is the unknown shard ${quote(inactive)}`);
  if (keysOf(text) > 2) return invalid('it names a key twice');
  if (active === inactive) return invalid(`both shards are named ${quote(active)}`);
  return { kind: 'known', active, inactive };
}

export function formatStatus(shards: ShardPair, active: Shard): string {
  return JSON.stringify({ active_shard: active, inactive_shard: otherShard(shards, active) });
}

/** Pattern with which Parameter Store refuses typos; RE2-compatible. */
export function statusPattern([one, two]: ShardPair): string {
  const entry = (key: string) => `"${key}"\\s*:\\s*"(?:${one}|${two})"`;
  const forward = `${entry('active_shard')}\\s*,\\s*${entry('inactive_shard')}`;
  const backward = `${entry('inactive_shard')}\\s*,\\s*${entry('active_shard')}`;
  return `^\\s*\\{\\s*(?:${forward}|${backward})\\s*\\}\\s*$`;
}

/**
 * Counts the keys: in JSON the last of two equal keys wins, but an operator may mean the first.
 */
function keysOf(text: string): number {
  return text.match(/"\s*:/g)?.length ?? 0;
}

function invalid(reason: string): Status {
  return { kind: 'invalid', reason };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
