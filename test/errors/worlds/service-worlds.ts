import { linux, pink, purple } from '../../fakes/builders.ts';
import { bootHost, contactGitLab, createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf } from '../../operator/doctor/examine.ts';
import { minute, openPromoted } from '../../scenarios/service/promoted.ts';
import { reach } from '../../stages/reach.ts';
import { at, endPipelines } from '../../worlds/state-worlds.ts';
import { on, type PrintingWorld } from './printing-world.ts';

function pause(world: World, isPaused: boolean, shard = purple): void {
  for (const one of registrationsOf(world, stackOf(world), shard)) one.paused = isPaused;
}

function hang(world: World, isHung: boolean): void {
  for (const host of hostsOf(world, stackOf(world), purple)) {
    host.agent = isHung ? 'lost' : 'online';
    host.boot = isHung ? 'never_takes_jobs' : 'ok';
  }
}

function end(world: World): void {
  for (const host of hostsOf(world, stackOf(world), purple)) terminateHost(world, host, 'world');
}

/** Its group has made another. */
function addHost(world: World): void {
  const host = createHost(world, { runnerName: linux, shard: purple });
  bootHost(world, host);
  contactGitLab(world, host);
}

async function draining(): Promise<World> {
  const world = await reach('draining');
  endPipelines(world);
  return world;
}

const lost = new WeakSet<World>();

const isBack = (command: string) => command.includes('rollback');

/** Twice the new shard was paused by somebody while the old one drained, and the old one was opened. */
async function openedTwice(): Promise<World> {
  const { scene, world } = await openPromoted();
  for (const _ of [1, 2]) {
    scene.simulation.at(10 * minute, (then) => {
      pause(then, true);
      absorb(then);
    });
    await scene.type('shutdown');
    pause(world, false);
    absorb(world);
  }
  endPipelines(world);
  return world;
}

/** The promoted shard does not serve, or is not proven to, while the old one can be closed. */
export const serviceWorlds: readonly PrintingWorld[] = [
  {
    code: 'NothingServes',
    where: 'since the new shard is paused',
    build: () => at('promoted', (world) => pause(world, true)),
    typed: on('shutdown'),
    leads: {
      [`${on('activate')} --shard purple`]: 'done, promoted',
      [on('finalize')]: 'done, done',
      [on('rollback')]: 'done, promoted',
    },
  },
  {
    code: 'NothingServes',
    where: 'since the new shard has no machine',
    build: () => at('promoted', end),
    typed: on('shutdown'),
    before: (world, command) => {
      if (!isBack(command)) addHost(world);
    },
    leads: { [on('rollback')]: 'done, promoted', [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'ServiceUnproven',
    build: () => at('drained', (world) => hang(world, true)),
    typed: on('cleanup'),
    before: (world, command) => {
      if (command === on('cleanup')) hang(world, false);
    },
    leads: {
      [on('rollback')]: 'done, promoted',
      [on('cleanup')]: 'done, done',
      [`${on('recover')} --although-nothing-serves --yes`]: 'done, done',
    },
  },
  {
    code: 'ServiceLost',
    build: draining,
    typed: on('shutdown'),
    surroundings: (world) => ({
      intercept: () => {
        if (!lost.has(world) && world.now > Date.parse('2026-11-02T08:00:00.000Z')) {
          lost.add(world);
          pause(world, true);
          absorb(world);
        }
        return undefined;
      },
    }),
    before: (world, command) => {
      if (!isBack(command)) pause(world, false);
    },
    leads: { [on('rollback')]: 'done, promoted', [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'Cancelled',
    where: 'while the new shard of a drain is silent',
    build: draining,
    typed: on('shutdown'),
    surroundings: (world) => {
      const controller = new AbortController();
      return {
        drive: { signal: controller.signal },
        intercept: ({ port, method }) => {
          // Of the drain's own look, once it is under way.
          if (port === 'registry' && method === 'listJobs' && !controller.signal.aborted) {
            hang(world, true);
            controller.abort();
          }
          return undefined;
        },
      };
    },
    before: (world, command) => {
      if (!isBack(command)) hang(world, false);
    },
    leads: { [on('rollback')]: 'done, promoted', [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'OpenedByOther',
    build: draining,
    typed: on('shutdown'),
    surroundings: (world) => {
      pause(world, false, pink);
      absorb(world);
      return {};
    },
    before: (world, command) => {
      if (!isBack(command)) pause(world, true, pink);
    },
    leads: { [on('rollback')]: 'done, promoted', [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'OpenedAgainTwice',
    build: openedTwice,
    typed: on('finalize'),
    leads: {
      [on('rollback')]: 'done, promoted',
      [`${on('activate')} --shard purple`]: 'done, promoted',
    },
  },
];
