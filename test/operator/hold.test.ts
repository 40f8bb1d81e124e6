import { expect, test } from '@jest/globals';
import { parametersOf, parameterValue } from '../fakes/serving.ts';
import { createSimulation } from '../fakes/simulation.ts';
import type { World } from '../fakes/world.ts';
import { type Command, drive } from '../stages/drive.ts';
import { stackOf } from './physician.ts';
import { rested } from './worlds/state-worlds.ts';

const type = (world: World, command: Command) =>
  drive(createSimulation({ world }), command, { deploymentId: 'terminal-1', ci: 'terminal' });
const held = (world: World) => parameterValue(world, parametersOf(stackOf(world)).hold);

test('a second hold is refused, and the first one stays as it was written', async () => {
  const world = await rested();
  expect(await type(world, 'hold')).toMatchObject({ kind: 'done' });
  const first = held(world);
  expect(await type(world, 'hold')).toMatchObject({ kind: 'error', error: { code: 'Held' } });
  expect(held(world)).toBe(first);
});

test('a release says whose hold it was, and there is none to release a second time', async () => {
  const world = await rested();
  await type(world, 'hold');
  const ending = await type(world, 'release');
  expect(ending.log.at(-1)).toMatch(/^Released linux: it was held by .+ \(an incident\)\.$/);
  expect(held(world)).toBeUndefined();
  expect(await type(world, 'release')).toMatchObject({
    kind: 'nothing',
    says: 'linux is not held',
  });
});
