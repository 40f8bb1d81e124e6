import type { StackShard } from '../../domain/shard.ts';

/** Fills in the shard's names, inside of elements only: no value can become an argument of its own. */
export function fillArguments(command: readonly string[], shard: StackShard): readonly string[] {
  const values: Readonly<Record<string, string>> = {
    '{shard}': shard.shard,
    '{runner_name}': shard.runnerName,
  };
  return command.map((element) =>
    element.replace(/\{(?:shard|runner_name)\}/g, (place) => values[place] ?? place),
  );
}
