import { pink } from '../fakes/builders.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf, type } from '../operator/doctor/examine.ts';
import { killAt, writes } from '../stages/reach.ts';
import type { ExaminedStack } from './broken-stack.ts';
import { at, endPipelines } from './state.ts';

function openOld(world: World): void {
  for (const one of registrationsOf(world, stackOf(world), pink)) one.paused = false;
}

/** Stacks with a shard that a drain paused and an operator unpaused. */
export const openedStacks: readonly ExaminedStack[] = [
  {
    name: 'the old shard unpaused by hand during its drain',
    build: () => at('draining', openOld),
    diagnosis: 'opened_by_other',
    ends: 'healthy',
  },
  {
    name: 'the old shard unpaused by hand after its drain',
    build: () => at('drained', openOld),
    diagnosis: 'opened_by_other',
    ends: 'healthy',
  },
  {
    name: 'the old shard unpaused by hand when no rollback is possible any more',
    build: async () => {
      const world = await at('drained', () => {});
      const intercept = killAt(writes('destroying'));
      await type(world, 'hosted-runner cleanup --runner linux', { intercept });
      endPipelines(world);
      openOld(world);
      absorb(world);
      await createSimulation({ world }).advance(60_000);
      return world;
    },
    diagnosis: 'opened_by_other',
    ends: 'healthy',
    byHand: (world) => {
      for (const one of registrationsOf(world, stackOf(world), pink)) one.paused = true;
    },
  },
];
