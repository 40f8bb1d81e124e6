import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { Call } from '../faults/fault-wrapper.ts';
import { hostsOf, mayServe, servingShards } from '../world/serving.ts';
import type { World } from '../world/world.ts';

/** What the world knows of both shards' service at each call of one run. */
export interface ServiceSight {
  note(call: Call): void;
  /** Right before a call takes effect. */
  about(call: Call): void;
  before(call: Call): SeenService;
}

export type Looks = Readonly<Partial<Record<Shard, Instant>>>;

/** Within one millisecond of the world the length of its history tells what came first. */
export interface Instant {
  readonly at: number;
  readonly entry: number;
}

export interface SeenService {
  /** Shards that could take customers' jobs, once opened, or that ran one, right before the effect. */
  readonly usable: readonly Shard[];
  /** Those that served right before the effect. */
  readonly serving: readonly Shard[];
  /** When this run's last look at a shard's machines began; what they did since, that look need not tell. */
  readonly checkedAt: Looks;
  /** When we asked for the effect: a run that stands still in the middle of that can tell no more. */
  readonly askedAt: number;
}

export function createServiceSight(world: World, stack: StackSettings): ServiceSight {
  const times: number[] = [];
  const looks: Looks[] = [];
  const right = new Map<number, Pick<SeenService, 'usable' | 'serving'>>();
  let begunAt = 0;
  return {
    note(call) {
      const { own, args } = call;
      const shard = lookedAtBy(call, stack);
      const instant = { at: world.now, entry: world.history.length };
      looks[own] = { ...looks[own - 1], ...(shard === undefined ? {} : { [shard]: instant }) };
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
      const askedAt = times[start] ?? world.now;
      return { usable: [], serving: [], ...right.get(own), checkedAt: looks[start] ?? {}, askedAt };
    },
  };
}

/** Whoever asks whether a shard serves lists its hosts first, or its machines where no host may be asked. */
function lookedAtBy({ port, method, args }: Call, { host, runnerName }: StackSettings) {
  const lists = host.access === 'none' ? 'instances' : 'host';
  if (port !== lists || method !== 'list') return undefined;
  const place = args[0] as { runnerName: string; shard: Shard };
  return place.runnerName === runnerName ? place.shard : undefined;
}

function isUsable(world: World, stack: StackSettings, shard: Shard): boolean {
  return mayServe(world, stack, shard) || runsCustomersJob(world, stack, shard);
}

function runsCustomersJob(world: World, stack: StackSettings, shard: Shard): boolean {
  return hostsOf(world, stack, shard).some(({ jobs }) =>
    jobs.some((id) => world.jobs[id]?.kind === 'customer'),
  );
}
