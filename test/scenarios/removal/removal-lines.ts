import { emptyWorld, pink, stackSettings } from '../../fakes/builders.ts';
import type { Fault } from '../../fakes/faults/fault-wrapper.ts';
import { createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { HostState, World } from '../../fakes/world/world.ts';
import type { Scene } from '../scene.ts';

const minute = 60_000;

/** State of a shard's runners before their removal. */
export interface RemovalLine {
  readonly name: string;
  readonly runners?: 'github_persistent' | 'github_ephemeral';
  /** Called right before the retirement. */
  readonly before?: (scene: Scene, hosts: readonly HostState[]) => void | Promise<void>;
  /** GitHub's false responses to the first removals of a runner. */
  readonly faults?: readonly Fault[];
  /** Number of jobs that the world ends by itself. */
  readonly lost?: number;
  /**
   * GitHub's responses and the endings of all runs before the last, if the runner is not removed at
   * once.
   */
  readonly answers?: readonly string[];
}

export const removalLines: readonly RemovalLine[] = [
  { name: 'an idle runner: first its labels go, then its process, and the runner last' },
  {
    name: 'a job that no list shows yet: its host reports it, and its runner stays',
    before: giveJobs,
  },
  {
    name: 'an ephemeral runner with a job that no list shows yet: it leaves after the job',
    answers: [],
    runners: 'github_ephemeral',
    before: giveJobs,
  },
  {
    name: 'a host that is terminated under a job: the leftovers are reported',
    answers: [...Array(5).fill('701 busy'), '701 removed'],
    async before(scene, hosts) {
      await giveJobs(scene);
      scene.simulation.at(2 * minute, (world) => {
        for (const host of hosts) terminateHost(world, host, 'world');
      });
    },
    lost: 1,
  },
  {
    name: '404 because the runner left between the list and its removal',
    answers: ['701 absent'],
    before: (_, hosts) => answer(hosts, ['absent']),
  },
  {
    name: '404 because a host did not register within ten minutes, without a wait',
    before({ world, simulation }) {
      addHost(world, 'never_contacts');
      return simulation.advance(15 * minute);
    },
  },
  {
    name: '404 because a host has just booted, with a wait and a removal',
    before: ({ world }) => addHost(world, 'ok'),
  },
  {
    name: '404 because a host never registers, until ten minutes have passed',
    before: ({ world }) => addHost(world, 'never_contacts'),
  },
  {
    name: '403 to a removal, which is unknown and never counts as gone',
    answers: ['701 unknown', '701 unknown', '701 unknown', '701 removed'],
    before: (_, hosts) => answer(hosts, ['unknown', 'unknown', 'unknown']),
  },
  {
    name: '403 to the list',
    answers: [
      'fault: denied',
      '= PermissionMissing',
      'fault: denied',
      '= PermissionMissing',
      '701 removed',
    ],
    faults: Array(2).fill({ kind: 'error_before', failure: 'denied', status: 403 }),
  },
  {
    name: '502 to the list',
    answers: [...Array(3).fill(['fault: unavailable', '= Unavailable']).flat(), '701 removed'],
    faults: Array(3).fill({ kind: 'error_before', failure: 'unavailable', status: 502 }),
  },
  {
    name: 'a rate limit',
    answers: [...Array(3).fill(['fault: throttled', '= Throttled']).flat(), '701 removed'],
    faults: Array(3).fill({ kind: 'error_before', failure: 'throttled', status: 403 }),
  },
  {
    name: 'no host, because the shard was scaled to zero before',
    before({ world }, hosts) {
      for (const host of hosts) terminateHost(world, host, 'world');
    },
  },
];

export function fleetWorld({ runners = 'github_persistent' }: Partial<RemovalLine> = {}): World {
  const stack = stackSettings();
  const drain = { ...stack.drain, confirmationMs: 10_000 };
  const stacks = [{ ...stack, drain }];
  return emptyWorld({ stacks, behaviour: { runners, concurrent: 1 } });
}

export function pinkHosts(world: World): readonly HostState[] {
  return hostsOf(world, world.stacks[0] as never, pink);
}

/** Starts one job per shard with the labels, too late for any list to show it. */
export function giveJobs({ world, simulation }: Scene): Promise<void> {
  for (const name of ['long build', 'another one'])
    submitJob(world, { name, tags: ['linux'], durationMs: 4 * minute });
  return simulation.advance(15_000);
}

function answer(hosts: readonly HostState[], answers: HostState['removalAnswers']): void {
  for (const host of hosts) if (answers !== undefined) host.removalAnswers = [...answers];
}

/** Adds a host like an Auto Scaling group. */
function addHost(world: World, boot: HostState['boot']): void {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('there is no stack');
  createHost(world, { runnerName: stack.runnerName, shard: pink }).boot = boot;
}
