import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard, type Shard } from '../../../src/domain/shard.ts';
import { canServe, isServing } from '../world/serving.ts';
import type { World } from '../world/world.ts';
import { oldestProofMs } from './service-invariants.ts';

/** What retires a shard, and so keeps it closed. */
const retires = ['shutdown', 'cleanup', 'finalize', 'deploy', 'rollback'];

/** A look each minute, three of what is bad, and the time for opening it. */
const seenWithinMs = 120_000;
/** Ten minutes of not knowing, whatever is waited for meanwhile. */
const unknownForMs = 600_000;
/** A machine that stands still between two calls keeps nobody's shard closed. */
const mostBetweenCallsMs = 65_000;

/** L8: how long a run of ours keeps a shard closed that could serve, while none serves. */
export interface ClosedWatch {
  note(): void;
}

export function createClosedWatch(
  world: World,
  stack: StackSettings,
  { command, name }: { command: string; name: string },
): ClosedWatch {
  let lastAt = world.now;
  let forMs = 0;
  let told = false;
  return {
    note() {
      const passedMs = Math.min(world.now - lastAt, mostBetweenCallsMs);
      lastAt = world.now;
      if (told || passedMs === 0 || !retires.includes(command)) return;
      const shard = closedInVain(world, stack);
      forMs = shard === undefined ? 0 : forMs + passedMs;
      if (shard === undefined || forMs <= boundMs(world, stack, shard)) return;
      told = true;
      const minutes = Math.round(forMs / 60_000);
      world.violations.push(
        `L8: ${shard} could serve and is closed for ${minutes}m while none serves, in ${name}`,
      );
    },
  };
}

/** A shard that our drain has closed and that would serve if it were open, where no shard serves. */
function closedInVain(world: World, stack: StackSettings): Shard | undefined {
  if (world.checks.serving[stack.runnerName] === true) return undefined;
  if (stack.shards.some((shard) => isServing(world, stack, shard))) return undefined;
  return stack.shards.find((shard) => canServe(world, stack, shard));
}

/** As docs/understand/simulation.md states it. */
function boundMs(world: World, stack: StackSettings, closed: Shard): number {
  const proofMs = oldestProofMs(world, stack, otherShard(stack.shards, closed));
  return proofMs === 0 ? seenWithinMs : proofMs + unknownForMs + seenWithinMs;
}
