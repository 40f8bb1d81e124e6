import { stateLabels } from '../../src/report/drawing/shard-states.ts';
import type { Sandbox } from '../sandbox.ts';
import { type CiStack, ciServerOf } from './run/ci-server.ts';

/** State of a shard at one moment. `gone` also applies before its first build. */
export type ShardState =
  | 'gone'
  | 'building'
  | 'quarantine'
  | 'serving'
  | 'active'
  | 'draining'
  | 'destroying';

/**
 * Observation of the sandbox from outside: existing resources and parameters, without the product's
 * log.
 */
export interface Reading {
  readonly at: number;
  readonly shards: Readonly<Record<string, ShardState>>;
  /** Shards that accept customer jobs and have a live process. */
  readonly taking: readonly string[];
  readonly active?: string | undefined;
  readonly record?: RecordSight | undefined;
  /** Shard of each runner, by id. */
  readonly registrations: Readonly<Record<number, string>>;
}

/**
 * Describes for the user which shard is active by `deployment_status`, and which shards accept
 * jobs.
 */
export function describeStanding({ shards, taking }: Reading): string {
  return Object.entries(shards)
    .map(([shard, state]) => `${shard} ${describeState(state, taking.includes(shard))}`)
    .join('; ');
}

function describeState(state: ShardState, takesJobs: boolean): string {
  switch (state) {
    case 'active':
      return takesJobs ? 'is active and accepts jobs' : 'is active but accepts no jobs';
    case 'serving':
      return takesJobs ? 'is not active but accepts jobs' : 'is not active and accepts no jobs';
    case 'quarantine':
      return 'is in quarantine';
    case 'draining':
      return 'accepts no new jobs';
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

/** Observable state of one shard. */
export interface ShardSight {
  readonly isActive: boolean;
  /** Number of resources and machines that are not terminated. */
  readonly parts: number;
  readonly registration?:
    | {
        readonly paused: boolean;
        readonly hasProductionTag: boolean;
        readonly contacted: boolean;
      }
    | undefined;
}

/**
 * Decides the state. The runner is created before the first resource and removed before the last
 * one.
 */
export function judgeShard({ isActive, parts, registration }: ShardSight): ShardState {
  if (registration === undefined) return parts === 0 ? 'gone' : 'destroying';
  if (registration.paused) return 'draining';
  if (registration.hasProductionTag) return isActive ? 'active' : 'serving';
  return registration.contacted ? 'quarantine' : 'building';
}

export interface WatchedStack extends CiStack {
  /** Hosts per shard. */
  readonly managers: number;
  /** Names of both shards, built or not. */
  readonly shards: readonly [string, string];
}

/** Observes the sandbox. `at` is the observer's time, because the sandbox's clock may be moved. */
export function readSandbox(sandbox: Sandbox, stack: WatchedStack, at: number): Reading {
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
    // The value is not written yet, or no JSON: nothing is known.
    return undefined;
  }
}
