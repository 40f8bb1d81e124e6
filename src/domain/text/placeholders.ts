import type { StackShard } from '../shard.ts';

/** Fills in the shard's names within one text: a value cannot become a separate argument. */
export function fill(text: string, { shard, runnerName }: StackShard): string {
  return text.replaceAll('{shard}', shard).replaceAll('{runner_name}', runnerName);
}

export function fillAll(texts: readonly string[], shard: StackShard): string[] {
  return texts.map((text) => fill(text, shard));
}
