import { endPipelines } from '../../broken-stacks/state.ts';
import { pink } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf, parameterValue, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf } from '../../operator/doctor/examine.ts';
import { minute, openPromoted } from '../../scenarios/service/promoted.ts';
import { on, type PrintingStack } from './printing.ts';
import { isBack, pause } from './service.ts';

/**
 * Reaches a drain whose old shard was reopened `times` times, because an operator paused the new
 * shard.
 */
async function opened(times: number): Promise<World> {
  const { scene, world } = await openPromoted();
  for (let time = 1; time <= times; time += 1) {
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

/** Acts at the first check of a drain that paused the old shard. */
function actAtCheck(act: () => void, world: World): Intercept {
  let isDone = false;
  return ({ port, method }) => {
    const isClosed = registrationsOf(world, stackOf(world), pink).every(({ paused }) => paused);
    if (isDone || !isClosed || port !== 'registry' || method !== 'listJobs') return undefined;
    isDone = true;
    act();
    absorb(world);
    return undefined;
  };
}

/** Stacks whose old shard was reopened so often that no drain pauses it again. */
export const reopenedStacks: readonly PrintingStack[] = [
  {
    code: 'ServiceLost',
    where: 'for the second time',
    build: () => opened(1),
    typed: on('shutdown'),
    surroundings: (world) => ({ intercept: actAtCheck(() => pause(world, true), world) }),
    before: (world, command) => {
      if (!isBack(command)) pause(world, false);
    },
    leads: {
      [on('rollback')]: 'done, promoted',
      [`${on('activate')} --shard purple`]: 'done, promoted',
    },
  },
  {
    code: 'Cancelled',
    where: 'when the old shard was opened for the second time',
    build: () => opened(1),
    typed: on('shutdown'),
    surroundings: (world) => {
      const controller = new AbortController();
      const end = () => {
        pause(world, true);
        controller.abort();
      };
      return { drive: { signal: controller.signal }, intercept: actAtCheck(end, world) };
    },
    before: (world, command) => {
      if (!isBack(command)) pause(world, false);
    },
    leads: {
      [on('rollback')]: 'done, promoted',
      [`${on('activate')} --shard purple`]: 'done, promoted',
    },
  },
  {
    code: 'OpenedAgainTwice',
    where: 'of an activation',
    build: async () => {
      const world = await opened(2);
      const name = parametersOf(stackOf(world)).record;
      const record = JSON.parse(parameterValue(world, name) ?? '{}');
      record.deployment.kind = 'activate';
      putParameter(world, { name, value: JSON.stringify(record) });
      absorb(world);
      return world;
    },
    typed: on('finalize'),
    leads: {
      [on('rollback')]: 'done, promoted',
      [`${on('activate')} --shard purple`]: 'done, promoted',
    },
  },
  {
    code: 'OpenedAgainTwice',
    build: () => opened(2),
    typed: on('finalize'),
    leads: {
      [on('rollback')]: 'done, promoted',
      [`${on('activate')} --shard purple`]: 'done, promoted',
    },
  },
];
