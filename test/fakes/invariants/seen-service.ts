import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { Call } from '../seam/seam.ts';
import { hostsOf, mayServe, servingShards } from '../world/serving.ts';
import type { World } from '../world/world.ts';

/**
 * So many calls may lie between the look that showed the other shard serving and the effect: what ends
 * in between cannot be seen by anybody.
 */
const callsOfTheProof = 16;

/** What the world knows of both shards' service at each call of one run. */
export interface ServiceSight {
  note(call: Call): void;
  /** Right before a call takes effect. */
  about(call: Call): void;
  before(call: Call): SeenService;
}

export interface SeenService {
  /** Shards that could take customers' jobs, once opened, or that ran one, right before the effect. */
  readonly usable: readonly Shard[];
  /** Those that served right before the effect. */
  readonly serving: readonly Shard[];
  /** What came into the history when it was longer than this cannot have been looked at before the effect. */
  readonly unseenFrom: number;
  /** When we asked for the effect: a run that stands still in the middle of that can tell no more. */
  readonly askedAt: number;
}

export function createServiceSight(world: World, stack: StackSettings): ServiceSight {
  const lengths: number[] = [];
  const times: number[] = [];
  const right = new Map<number, Pick<SeenService, 'usable' | 'serving'>>();
  let begunAt = 0;
  return {
    note({ own, args }) {
      lengths[own] = world.history.length;
      times[own] = world.now;
      if (args[1] === 'step 1') begunAt = own;
    },
    about({ own, effect }) {
      if (!effect) return;
      const usable = stack.shards.filter((shard) => isUsable(world, stack, shard));
      right.set(own, { usable, serving: servingShards(world, stack) });
    },
    before({ own, args }) {
      // Nothing stops a tool that runs already, so its steps are judged by the first one's checks.
      const start = typeof args[1] === 'string' && args[1].startsWith('step ') ? begunAt : own;
      const unseenFrom = lengths[Math.max(0, start - callsOfTheProof)] ?? 0;
      const askedAt = times[start] ?? world.now;
      return { usable: [], serving: [], ...right.get(own), unseenFrom, askedAt };
    },
  };
}

function isUsable(world: World, stack: StackSettings, shard: Shard): boolean {
  return mayServe(world, stack, shard) || runsCustomersJob(world, stack, shard);
}

function runsCustomersJob(world: World, stack: StackSettings, shard: Shard): boolean {
  return hostsOf(world, stack, shard).some(({ jobs }) =>
    jobs.some((id) => world.jobs[id]?.kind === 'customer'),
  );
}
