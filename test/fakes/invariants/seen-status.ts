import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { Call } from '../faults/fault-wrapper.ts';
import { activeOf, parametersOf } from '../world/shards.ts';
import type { World } from '../world/world.ts';

/**
 * Number of calls before an effect that are its checks. No run can notice an edit between them.
 */
const callsOfTheChecks = 3;

/** Values of `deployment_status` at each call of one run. */
export interface Sight {
  note(call: Call): void;
  /**
   * Returns the active shard that the checks of an effect could see; undefined without a change
   * since.
   */
  before(call: Call): Shard | undefined;
}

export function createSight(world: World, stack: StackSettings): Sight {
  const { status } = parametersOf(stack);
  const lengths: number[] = [];
  let begunAt = 0;
  const length = () => world.parameters[status]?.versions.length ?? 0;
  return {
    note({ own, args }) {
      lengths[own] = length();
      if (args[1] === 'step 1') begunAt = own;
    },
    before({ own, args }) {
      // A running tool cannot be stopped, so the checks before its first step count for all its
      // steps.
      const start = typeof args[1] === 'string' && args[1].startsWith('step ') ? begunAt : own;
      const then = lengths[Math.max(0, start - callsOfTheChecks)] ?? 0;
      if (then === length() || then === 0) return undefined;
      return activeOf(stack, world.parameters[status]?.versions[then - 1]?.value);
    },
  };
}
