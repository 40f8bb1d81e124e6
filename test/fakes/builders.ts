import { formatStatus, statusPattern } from '../../src/domain/deployment/deployment-status.ts';
import { registrationMark } from '../../src/domain/deployment/onboarding.ts';
import type { BakeSettings, StackSettings } from '../../src/domain/settings.ts';
import type { RunnerName, Shard } from '../../src/domain/shard.ts';
import { jobsAndWebhook, usualBake } from './bake-settings.ts';
import { settingsWith } from './default-settings.ts';
import type { Behaviour } from './hosts/behaviour.ts';
import { bootHost, contactGitLab } from './hosts/hosts.ts';
import { absorb } from './invariants/checker.ts';
import { buildInfrastructure } from './ports/infrastructure-fake.ts';
import { putParameter } from './ports/parameters-fake.ts';
import { addRegistration } from './ports/registry/registration-writes.ts';
import { parametersOf } from './world/shards.ts';
import type { HostState, RegistrationState, World } from './world/world.ts';

export const pink = 'pink' as Shard;
export const purple = 'purple' as Shard;
export const linux = 'linux' as RunnerName;

/** Keys that require all evidence, with short but realistic durations. */
const quickKeys = {
  'infrastructure.timeout': '30m',
  'healthcheck.evidence.workload': 'required',
  'healthcheck.poll': '10s',
  'drain.poll_of_runner': '10s',
  'drain.confirmation': '3m',
  'drain.poll': '5s',
};

/** Returns the settings of a stack `linux` with the shards pink and purple. */
export function stackSettings(overrides: Partial<StackSettings> = {}): StackSettings {
  return { ...settingsWith(quickKeys, overrides.runnerName), ...overrides };
}

/**
 * Returns settings with a bake of half an hour under customer jobs, without a required number of
 * jobs.
 */
export function bakingStack(bake: Partial<BakeSettings> = {}): StackSettings {
  const watched = { forMs: 1_800_000, jobs: 0, onUnhealthy: 'rollback' } as const;
  return stackSettings({ bake: { ...usualBake, ...watched, signals: jobsAndWebhook, ...bake } });
}

const behaviour: Behaviour = {
  bootMs: 40_000,
  contactMs: 60_000,
  pollMs: 3000,
  ackMs: 300,
  concurrent: 10,
  lateAssignmentMs: 500,
  canaryDurationMs: 10_000,
  boots: {},
  runnerVersion: '19.2.0',
  revision: 1,
  plans: 'known',
  existence: 'known',
  applyFailures: [],
  destroyFailures: [],
  taken: [],
  stepMs: 5000,
  staleForMs: 0,
  staleReads: 0,
  settledMs: 10_000,
  nameFreeAfterMs: 30_000,
  pipelines: 'known',
  canaryStart: 'allowed',
  missingGrants: [],
  jobsVisible: true,
  killAllowed: false,
};

export interface WorldOptions {
  readonly stacks?: readonly StackSettings[];
  readonly seed?: number;
  readonly startedAt?: string;
  readonly behaviour?: Partial<Behaviour>;
}

/** Returns a world without any deployment. */
export function emptyWorld(options: WorldOptions = {}): World {
  return {
    now: Date.parse(options.startedAt ?? '2026-11-02T08:00:00.000Z'),
    skewMs: 0,
    seed: options.seed ?? 1,
    events: [],
    counters: {
      order: 0,
      registration: 48_212,
      manager: 700,
      job: 9_000_000,
      host: 0,
      token: 0,
      random: 0,
      plan: 0,
    },
    stacks: [...(options.stacks ?? [stackSettings()])],
    behaviour: structuredClone({ ...behaviour, ...options.behaviour }),
    registrations: {},
    tagged: [],
    hooks: [],
    signals: { webhook: { kind: 'good', detail: 'answered 200' } },
    jobs: {},
    queue: [],
    alive: [],
    streams: [],
    parameters: {},
    removed: {},
    hosts: {},
    infrastructure: {},
    pipelines: {},
    processes: {},
    history: [],
    checks: { checkCount: 0, accepting: {}, worked: {}, switches: {}, directions: {} },
    violations: [],
  };
}

export interface ShardOptions {
  readonly shard: Shard;
  /** Stack of the shard; the world's first if absent. */
  readonly stack?: StackSettings;
  /** Tags of the runner; the production tags if absent. */
  readonly tags?: readonly string[];
  readonly paused?: boolean;
  readonly note?: string;
  /** Whether a manager has contacted GitLab; true if absent. */
  readonly contacted?: boolean;
}

/** Adds a shard like an earlier deployment: registration, token, infrastructure, manager. */
export function addShard(
  world: World,
  options: ShardOptions,
): { registration: RegistrationState; hosts: HostState[] } {
  const stack = options.stack ?? (world.stacks[0] as StackSettings);
  const { shard, contacted = true } = options;
  const { id, token } = addRegistration(world, {
    shard: { runnerName: stack.runnerName, shard },
    settings: stack.registration,
    tags: options.tags ?? stack.registration.tags,
    note: options.note ?? registrationMark('earlier'),
  });
  const registration = world.registrations[id] as RegistrationState;
  registration.paused = options.paused ?? false;
  registration.runUntagged = options.tags === undefined && stack.registration.runUntagged;
  putParameter(world, { name: parametersOf(stack).token(shard), value: token, secret: true });
  const hosts = buildInfrastructure(world, { runnerName: stack.runnerName, shard });
  const ids = hosts.map((host) => host.id);
  world.events = world.events.filter(
    ({ event }) => !('hostId' in event && ids.includes(event.hostId)),
  );
  for (const host of hosts) {
    bootHost(world, host);
    if (contacted) contactGitLab(world, host);
    else forget(world, registration, host);
  }
  world.events = world.events.filter(
    ({ event }) => !(event.kind === 'manager_contacts' && ids.includes(event.hostId)),
  );
  absorb(world);
  return { registration, hosts };
}

/** Resets the runner and host to the state before any manager verified the token. */
function forget(world: World, registration: RegistrationState, host: HostState): void {
  if (host.managerId !== undefined) world.counters.manager -= 1;
  registration.contacted = false;
  registration.managers = [];
  delete host.managerId;
}

export interface ActiveOptions extends WorldOptions {
  /** Text of `deployment_record`; absent for a stack without a record. */
  readonly record?: string | ((registration: RegistrationState) => string);
}

/** Returns a world with one stack and one active shard, which accepts jobs. */
export function worldWithActive(shard: Shard, options: ActiveOptions = {}): World {
  const world = emptyWorld(options);
  const stack = world.stacks[0] as StackSettings;
  const names = parametersOf(stack);
  const { registration } = addShard(world, { shard });
  const status = formatStatus(stack.shards, shard);
  putParameter(world, {
    name: names.status,
    value: status,
    allowedPattern: statusPattern(stack.shards),
  });
  const { record } = options;
  if (record !== undefined) {
    const value = typeof record === 'string' ? record : record(registration);
    putParameter(world, { name: names.record, value });
  }
  absorb(world);
  return world;
}
