import { expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { writes } from '../../stages/reach.ts';
import { hour, minute, openPromoted, stackOf } from '../service/promoted.ts';

function setAgent(world: World, agent: 'lost' | 'online'): void {
  for (const host of hostsOf(world, stackOf(world), purple)) host.agent = agent;
  absorb(world);
}

test('a period without responses is forgotten with the next proof, whichever code makes it', async () => {
  let [isUnresponsive, isQuit, isDelayed] = [false, false, false];
  const { scene, world } = await openPromoted(undefined, (call) => {
    const { port, method, args } = call;
    if (writes('drained')(call)) {
      isUnresponsive = false;
      setAgent(world, 'online');
    }
    isQuit ||= port === 'host' && method === 'quit';
    // The delay exceeds the validity of a proof, but not the ten minutes without a response.
    if (isQuit && !isDelayed && method === 'look' && isPinks(args[0])) {
      isDelayed = true;
      return { kind: 'delay', afterMs: 4 * minute };
    }
    return isUnresponsive && port === 'canary' && (method === 'start' || method === 'findNewest')
      ? { kind: 'error_before', failure: 'denied' }
      : undefined;
  });
  const isPinks = (id: unknown) =>
    hostsOf(world, stackOf(world), pink).some((one) => one.id === id);
  scene.simulation.at(5 * hour - 8 * minute - 20_000, (then) => {
    isUnresponsive = true;
    setAgent(then, 'lost');
  });
  const ending = await scene.type('finalize');
  expect(isDelayed).toBe(true);
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.violations).toEqual([]);
});
