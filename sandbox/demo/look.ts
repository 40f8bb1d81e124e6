import { stateLabels } from '../../src/report/drawing/state-labels.ts';
import type { Sandbox } from '../sandbox.ts';
import { type CiStack, ciServerOf } from './run/ci-server.ts';

/** What a shard is at one moment; `gone` also before it is ever built. */
export type ShardState =
  | 'gone'
  | 'building'
  | 'quarantine'
  | 'serving'
  | 'active'
  | 'draining'
  | 'destroying';

/** One look at the world from outside: what exists and what the parameters say, not our log. */
export interface Look {
  readonly at: number;
  readonly shards: Readonly<Record<string, ShardState>>;
  /** Shards that take customers' jobs with a process that lives. */
  readonly taking: readonly string[];
  readonly active?: string | undefined;
  readonly record?: RecordSight | undefined;
  /** The shard of each registration by its id. */
  readonly registrations: Readonly<Record<number, string>>;
}

/** For who watches: which shard is active by `deployment_status`, and which of them take jobs. */
export function describeStanding({ shards, taking }: Look): string {
  return Object.entries(shards)
    .map(([shard, state]) => `${shard} ${describeState(state, taking.includes(shard))}`)
    .join('; ');
}

function describeState(state: ShardState, takesJobs: boolean): string {
  switch (state) {
    case 'active':
      return takesJobs ? 'is active and takes jobs' : 'is active and takes no job';
    case 'serving':
      return takesJobs ? 'is not active and takes jobs' : 'is not active and takes no job';
    case 'quarantine':
      return 'is in quarantine';
    case 'draining':
      return 'takes no new job';
    case 'gone':
      return 'is gone';
    default:
      return `is ${stateLabels[state]}`;
  }
}

export interface RecordSight {
  readonly id: string;
  readonly candidate: string;
  readonly phase: string;
}

/** What can be seen of one shard. */
export interface ShardSight {
  readonly isActive: boolean;
  /** Resources and machines that are not terminated. */
  readonly parts: number;
  readonly registration?:
    | {
        readonly paused: boolean;
        readonly hasProductionTag: boolean;
        readonly contacted: boolean;
      }
    | undefined;
}

/** The registration comes before the first resource and goes before the last one. */
export function judgeShard({ isActive, parts, registration }: ShardSight): ShardState {
  if (registration === undefined) return parts === 0 ? 'gone' : 'destroying';
  if (registration.paused) return 'draining';
  if (registration.hasProductionTag) return isActive ? 'active' : 'serving';
  return registration.contacted ? 'quarantine' : 'building';
}

export interface WatchedStack extends CiStack {
  /** Hosts of a shard. */
  readonly managers: number;
  /** Both names, also of a shard that was never built. */
  readonly shards: readonly [string, string];
}

/** `at` is the time of who looks: the world's own clock may be moved. */
export function lookAt(sandbox: Sandbox, stack: WatchedStack, at: number): Look {
  const active = readJson(sandbox, `${stack.prefix}deployment_status`)?.['active_shard'];
  const record = readJson(sandbox, `${stack.prefix}deployment_record`)?.['deployment'];
  const states: Record<string, ShardState> = {};
  const taking: string[] = [];
  const sights = seeShards(sandbox, stack);
  for (const [shard, sight] of sights) {
    const state = judgeShard({ ...sight, isActive: shard === active });
    states[shard] = state;
    const takes = state === 'active' || state === 'serving';
    if (takes && hasLivingRunner(sandbox, { ...stack, shard })) taking.push(shard);
  }
  return {
    at,
    shards: states,
    taking,
    active: typeof active === 'string' ? active : undefined,
    record: record as RecordSight | undefined,
    registrations: Object.fromEntries(
      ciServerOf(sandbox, stack)
        .registrations()
        .flatMap(({ ids, shard }) => ids.map((id) => [id, shard])),
    ),
  };
}

function seeShards(
  sandbox: Sandbox,
  stack: WatchedStack,
): Map<string, Omit<ShardSight, 'isActive'>> {
  const { runnerName } = stack;
  const sights = new Map<string, Omit<ShardSight, 'isActive'>>();
  const count = (shard: string, parts: number) =>
    sights.set(shard, { parts: parts + (sights.get(shard)?.parts ?? 0) });
  for (const [key, resources] of Object.entries(sandbox.stacks.list())) {
    if (key.startsWith(`${runnerName}/`)) count(key.slice(runnerName.length + 1), resources.length);
  }
  for (const instance of sandbox.fleet.list()) {
    if (instance.runnerName === runnerName && instance.state !== 'terminated') {
      count(instance.shard, 1);
    }
  }
  for (const { shard, ...registration } of ciServerOf(sandbox, stack).registrations()) {
    sights.set(shard, { parts: sights.get(shard)?.parts ?? 0, registration });
  }
  return sights;
}

function hasLivingRunner(
  { fleet }: Sandbox,
  { runnerName, shard }: WatchedStack & { shard: string },
): boolean {
  return fleet
    .list()
    .some(
      (instance) =>
        instance.runnerName === runnerName &&
        instance.shard === shard &&
        fleet.machine(instance.id)?.unit?.isRunning === true,
    );
}

function readJson({ parameters }: Sandbox, name: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(parameters.read(name).value()) as Record<string, unknown>;
  } catch {
    // Not written yet, or not JSON: nothing is known.
    return undefined;
  }
}
