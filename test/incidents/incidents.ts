import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { Shard } from '../../src/domain/shard.ts';
import { pink, purple } from '../fakes/builders.ts';
import { strikeMachines } from '../fakes/faults/disturbance.ts';
import { killProcess, terminateHost } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../fakes/ports/parameters-fake.ts';
import { hostsOf, parametersOf, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf } from '../scenarios/service/promoted.ts';

type Incident = (world: World) => void;

/** Incidents of one shard. */
const ofShard: Readonly<Record<string, (world: World, shard: Shard) => void>> = {
  dies: (world, shard) => {
    for (const host of hostsOf(world, stackOf(world), shard)) terminateHost(world, host, 'world');
  },
  'has no process': (world, shard) => {
    for (const host of hostsOf(world, stackOf(world), shard)) killProcess(world, host);
  },
  'has no agent': (world, shard) => {
    for (const host of hostsOf(world, stackOf(world), shard)) host.agent = 'lost';
  },
  'is deleted in GitLab': (world, shard) => {
    for (const { id } of registrationsOf(world, stackOf(world), shard))
      delete world.registrations[id];
  },
  'is paused by hand': (world, shard) => {
    for (const one of registrationsOf(world, stackOf(world), shard)) {
      one.paused = true;
      one.pausedAt = world.now;
    }
  },
  'is opened by hand': (world, shard) => {
    for (const one of registrationsOf(world, stackOf(world), shard)) {
      one.paused = false;
      delete one.pausedAt;
    }
  },
  'has no tags': (world, shard) => {
    for (const one of registrationsOf(world, stackOf(world), shard)) one.tags = [];
  },
  'has no token': (world, shard) =>
    removeParameter(world, parametersOf(stackOf(world)).token(shard)),
};

/** Incidents of the stack or its environment. */
const ofStack: Readonly<Record<string, Incident>> = {
  nothing: () => undefined,
  'the active machine hangs': (world) =>
    strikeMachines(world, stackOf(world), { of: 'active', what: 'hangs' }),
  'the other machine hangs': (world) =>
    strikeMachines(world, stackOf(world), { of: 'other', what: 'hangs' }),
  'the active machine is offline': (world) =>
    strikeMachines(world, stackOf(world), { of: 'active', what: 'offline' }),
  'the status names pink': (world) => nameActive(world, pink),
  'the status names purple': (world) => nameActive(world, purple),
  'the status is gone': (world) => removeParameter(world, parametersOf(stackOf(world)).status),
  'the record is gone': (world) => removeParameter(world, parametersOf(stackOf(world)).record),
  'GitLab is in maintenance': (world) => {
    world.behaviour.readOnly = 'Maintenance mode';
  },
  'jobs are hidden': (world) => {
    world.behaviour.jobsVisible = false;
  },
};

function nameActive(world: World, shard: Shard): void {
  const { shards } = stackOf(world);
  const value = formatStatus(shards, shard);
  putParameter(world, { name: parametersOf(stackOf(world)).status, value });
}

const single: Readonly<Record<string, Incident>> = {
  ...ofStack,
  ...Object.fromEntries(
    [pink, purple].flatMap((shard) =>
      Object.entries(ofShard).map(([name, strike]): [string, Incident] => [
        `${shard} ${name}`,
        (world) => strike(world, shard),
      ]),
    ),
  ),
};

/** Each incident alone, and combinations that affect both shards. */
export const incidents: readonly string[] = [
  ...Object.keys(single),
  ...Object.keys(ofShard).flatMap((one) => [
    `pink ${one} + purple dies`,
    `pink dies + purple ${one}`,
    `pink has no process + purple ${one}`,
  ]),
  'pink dies + the status names purple',
  'purple dies + the status names pink',
  'pink dies + GitLab is in maintenance',
  'purple dies + jobs are hidden',
];

/** Triggers an incident. Effects of operators and of the world count as no violation. */
export function strike(world: World, incident: string): void {
  for (const name of incident.split(' + ')) {
    const happen = single[name];
    if (happen === undefined) throw new Error(`no incident is called "${name}"`);
    happen(world);
  }
  absorb(world);
  world.violations = [];
}
