import { emptyWorld, pink, stackSettings } from '../../fakes/builders.ts';
import type { Fault } from '../../fakes/faults/fault-wrapper.ts';
import { createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
import type { HostState, World } from '../../fakes/world/world.ts';
import type { Scene } from '../scene.ts';

const minute = 60_000;

/** One thing that the runners of a shard may be when it is their turn to be removed. */
export interface RemovalLine {
  readonly name: string;
  readonly runners?: 'github_persistent' | 'github_ephemeral';
  /** Right before the retirement. */
  readonly before?: (scene: Scene, hosts: readonly HostState[]) => void | Promise<void>;
  /** What GitHub answers to the first tries to remove a runner, in place of the truth. */
  readonly faults?: readonly Fault[];
  /** Jobs that the world takes away by itself. */
  readonly lost?: number;
  /** What GitHub answers, and how the runs before the last one end; where it is not removed at once. */
  readonly answers?: readonly string[];
}

export const removalLines: readonly RemovalLine[] = [
  { name: 'idle: the labels go first, then the process, and the runner last' },
  {
    name: 'a job that no list shows yet: its host says so, and nobody is removed under it',
    before: giveJobs,
  },
  {
    name: 'ephemeral, with a job that no list shows yet: it leaves by itself after it',
    answers: [],
    runners: 'github_ephemeral',
    before: giveJobs,
  },
  {
    name: 'its host is terminated under a job: what is left over is told',
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
    name: '404, gone: it left between the list and its removal',
    answers: ['701 absent'],
    before: (_, hosts) => answer(hosts, ['absent']),
  },
  {
    name: '404, never there: a host that did not register within ten minutes is not waited for',
    before({ world, simulation }) {
      addHost(world, 'never_contacts');
      return simulation.advance(15 * minute);
    },
  },
  {
    name: '404, not yet there: a host that has just booted is waited for, and its runner removed',
    before: ({ world }) => addHost(world, 'ok'),
  },
  {
    name: '404, not yet there: it never comes, and the grace of ten minutes ends',
    before: ({ world }) => addHost(world, 'never_contacts'),
  },
  {
    name: '403 to a removal: not known, never gone',
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
    name: 'no host any more: the shard was scaled to zero before',
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

/** One for each shard that has the labels; begun so late that no list shows it yet. */
export function giveJobs({ world, simulation }: Scene): Promise<void> {
  for (const name of ['long build', 'another one'])
    submitJob(world, { name, tags: ['linux'], durationMs: 4 * minute });
  return simulation.advance(15_000);
}

function answer(hosts: readonly HostState[], answers: HostState['removalAnswers']): void {
  for (const host of hosts) if (answers !== undefined) host.removalAnswers = [...answers];
}

/** What an Auto Scaling group adds on its own. */
function addHost(world: World, boot: HostState['boot']): void {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('there is no stack');
  createHost(world, { runnerName: stack.runnerName, shard: pink }).boot = boot;
}
