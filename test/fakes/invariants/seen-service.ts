import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { Call } from '../faults/fault-wrapper.ts';
import { canAcceptAnyTag, hostsOf, listAcceptingShards } from '../world/shards.ts';
import type { World } from '../world/world.ts';

/** Records the shards that could take jobs at each call of one run. */
export interface ServiceSight {
  note(call: Call): void;
  /** Called right before a call takes effect. */
  about(call: Call): void;
  before(call: Call): SeenService;
}

export type CheckTimes = Readonly<Partial<Record<Shard, Instant>>>;

/** Point in time. Within one millisecond, the length of the history decides the order. */
export interface Instant {
  readonly at: number;
  readonly entry: number;
}

export interface SeenService {
  /**
   * Shards that could take customer jobs if unpaused, or that ran one, right before the effect.
   */
  readonly usable: readonly Shard[];
  /** Shards that accepted jobs right before the effect. */
  readonly accepting: readonly Shard[];
  /**
   * Start of this run's last check of each shard's machines. The check need not report later
   * events.
   */
  readonly checkedAt: CheckTimes;
  /**
   * When the run requested the effect. A run that stops after the request can check nothing more.
   */
  readonly requestedAt: number;
}

export function createServiceSight(world: World, stack: StackSettings): ServiceSight {
  const times: number[] = [];
  const checks: CheckTimes[] = [];
  const right = new Map<number, Pick<SeenService, 'usable' | 'accepting'>>();
  let begunAt = 0;
  return {
    note(call) {
      const { own, args } = call;
      const shard = findCheckedShard(call, stack);
      const instant = { at: world.now, entry: world.history.length };
      checks[own] = { ...checks[own - 1], ...(shard === undefined ? {} : { [shard]: instant }) };
      times[own] = world.now;
      if (args[1] === 'step 1') begunAt = own;
    },
    about({ own, effect }) {
      if (!effect) return;
      const usable = stack.shards.filter((shard) => isUsable(world, stack, shard));
      right.set(own, { usable, accepting: listAcceptingShards(world, stack) });
    },
    before({ own, args }) {
      // A running tool cannot be stopped, so the checks before its first step count for all its
      // steps.
      const start = typeof args[1] === 'string' && args[1].startsWith('step ') ? begunAt : own;
      const requestedAt = times[start] ?? world.now;
      return {
        usable: [],
        accepting: [],
        ...right.get(own),
        checkedAt: checks[start] ?? {},
        requestedAt,
      };
    },
  };
}

/**
 * Returns the shard that a call checks. A check first lists the shard's hosts, or its instances
 * without host access.
 */
function findCheckedShard({ port, method, args }: Call, { host, runnerName }: StackSettings) {
  const lists = host.access === 'none' ? 'instances' : 'host';
  if (port !== lists || method !== 'list') return undefined;
  const place = args[0] as { runnerName: string; shard: Shard };
  return place.runnerName === runnerName ? place.shard : undefined;
}

function isUsable(world: World, stack: StackSettings, shard: Shard): boolean {
  return canAcceptAnyTag(world, stack, shard) || runsCustomersJob(world, stack, shard);
}

function runsCustomersJob(world: World, stack: StackSettings, shard: Shard): boolean {
  return hostsOf(world, stack, shard).some(({ jobs }) =>
    jobs.some((id) => world.jobs[id]?.kind === 'customer'),
  );
}
