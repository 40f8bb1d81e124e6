import type { StackShard } from '../shard.ts';

/** Fills in the shard's names inside of one text; no value can become an argument of its own. */
export function fill(text: string, { shard, runnerName }: StackShard): string {
  return text.replaceAll('{shard}', shard).replaceAll('{runner_name}', runnerName);
}

export function fillAll(texts: readonly string[], shard: StackShard): string[] {
  return texts.map((text) => fill(text, shard));
}
