import { at, endPipelines } from '../../broken-stacks/state.ts';
import { linux, pink, purple } from '../../fakes/builders.ts';
import { bootHost, contactGitLab, createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf, type } from '../../operator/doctor/examine.ts';
import { killAt, reach, writes } from '../../stages/reach.ts';
import { on, type PrintingStack } from './printing.ts';

export function pause(world: World, isPaused: boolean, shard = purple): void {
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

/** Adds a second host, like the shard's Auto Scaling group. */
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

/** Reaches a removal that is recorded but has not begun. */
async function removing(): Promise<World> {
  const world = await at('drained', () => {});
  await type(world, on('cleanup'), { intercept: killAt(writes('destroying')) });
  endPipelines(world);
  return world;
}

const lost = new WeakSet<World>();

export const isBack = (command: string) => command.includes('rollback');

/** Ends the new shard's machine and restarts the old one's process, like an operator. */
async function restarted(build: () => Promise<World>): Promise<World> {
  const world = await build();
  endPipelines(world);
  end(world);
  for (const host of hostsOf(world, stackOf(world), pink)) host.process = 'running';
  absorb(world);
  return world;
}

const notTaken = {
  code: 'CannotRecover',
  typed: `${on('recover')} --method cleanup --although-nothing-serves --yes`,
} as const;

/** Unpauses pink until the operator pauses it again as printed. A rollback needs it unpaused. */
const openedByHand: Pick<PrintingStack, 'surroundings' | 'before'> = {
  surroundings: (world) => {
    pause(world, false, pink);
    absorb(world);
    return {};
  },
  before: (world, command) => {
    if (!isBack(command)) pause(world, true, pink);
  },
};

/**
 * Stacks whose promoted shard does not accept jobs or is not verified, while the old one can be
 * paused.
 */
export const serviceStacks: readonly PrintingStack[] = [
  {
    ...notTaken,
    where: 'as the drained shard runs again',
    build: () => restarted(() => at('drained', () => {})),
    leads: { [on('rollback')]: 'done, promoted', [on('doctor')]: 'done, drained' },
  },
  {
    ...notTaken,
    where: 'as the shard runs again whose removal was written down',
    build: () => restarted(removing),
    // `finalize` reopens the old shard and reports that the new one does not accept jobs.
    leads: { [on('finalize')]: '1 ServiceLost, promoted', [on('doctor')]: 'done, destroying' },
  },
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
          // The signal comes during the drain's own check.
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
    ...openedByHand,
    leads: { [on('rollback')]: 'done, promoted', [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'OpenedByOther',
    where: 'when its process has ended already',
    build: () => at('drained', () => {}),
    typed: on('cleanup'),
    ...openedByHand,
    leads: { [on('rollback')]: 'done, promoted', [on('cleanup')]: 'done, done' },
  },
  {
    code: 'OpenedByOther',
    where: 'where there is no way back any more',
    build: removing,
    typed: on('cleanup'),
    ...openedByHand,
    leads: { [on('cleanup')]: 'done, done' },
  },
];
