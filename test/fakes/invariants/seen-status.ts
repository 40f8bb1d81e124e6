import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { Call } from '../faults/fault-wrapper.ts';
import { activeOf, parametersOf } from '../world/serving.ts';
import type { World } from '../world/world.ts';

/** So many calls before an effect are its checks; an edit in between cannot be seen by anybody. */
const callsOfTheChecks = 3;

/** What `deployment_status` said at each call of one run. */
export interface Sight {
  note(call: Call): void;
  /** The active shard as the checks of an effect could see it; undefined where nothing has changed since. */
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
      // Nothing stops a tool that runs already, so its steps are judged by the first one's checks.
      const start = typeof args[1] === 'string' && args[1].startsWith('step ') ? begunAt : own;
      const then = lengths[Math.max(0, start - callsOfTheChecks)] ?? 0;
      if (then === length() || then === 0) return undefined;
      return activeOf(stack, world.parameters[status]?.versions[then - 1]?.value);
    },
  };
}
