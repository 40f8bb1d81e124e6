import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard, type Shard } from '../../../src/domain/shard.ts';
import { canAcceptJobs, isAcceptingJobs } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import { oldestProofMs } from './service-invariants.ts';

/** Commands that retire a shard and pause it. */
const retires = ['shutdown', 'cleanup', 'finalize', 'deploy', 'rollback'];

/** Time for three bad checks, one a minute, and for the reopening. */
const seenWithinMs = 120_000;
/** Time without a result before the reopening, whatever else the run waits for. */
const unknownForMs = 600_000;
/** Time between two calls that counts: a stopped machine is not blamed for a paused shard. */
const mostBetweenCallsMs = 65_000;

/**
 * L8: measures how long a run keeps a shard paused that could accept jobs, while no shard accepts
 * any.
 */
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
  let isReported = false;
  return {
    note() {
      const passedMs = Math.min(world.now - lastAt, mostBetweenCallsMs);
      lastAt = world.now;
      if (isReported || passedMs === 0 || !retires.includes(command)) return;
      const shard = closedInVain(world, stack);
      forMs = shard === undefined ? 0 : forMs + passedMs;
      if (shard === undefined || forMs <= boundMs(world, stack, shard)) return;
      isReported = true;
      const minutes = Math.round(forMs / 60_000);
      world.violations.push(
        `L8: ${shard} could serve and is closed for ${minutes}m while none serves, in ${name}`,
      );
    },
  };
}

/**
 * Returns a shard that a drain paused and that would accept jobs if unpaused, while no shard
 * accepts any.
 */
function closedInVain(world: World, stack: StackSettings): Shard | undefined {
  if (world.checks.accepting[stack.runnerName] === true) return undefined;
  if (stack.shards.some((shard) => isAcceptingJobs(world, stack, shard))) return undefined;
  return stack.shards.find((shard) => canAcceptJobs(world, stack, shard));
}

/** Returns the bound that docs/understand/simulation.md states. */
function boundMs(world: World, stack: StackSettings, closed: Shard): number {
  const proofMs = oldestProofMs(world, stack, otherShard(stack.shards, closed));
  return proofMs === 0 ? seenWithinMs : proofMs + unknownForMs + seenWithinMs;
}
