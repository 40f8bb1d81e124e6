import { expect, test } from '@jest/globals';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

test('a runner that GitLab creates late does not remain beside the one of the second request', async () => {
  const world = await reach('prepared');
  let isOver = false;
  const scene = openScene(world, ({ port, method }: Call): Fault | undefined => {
    if (isOver || port !== 'registry' || method !== 'create') return undefined;
    isOver = true;
    return { kind: 'late_effect', afterMs: 60_000 };
  });
  for (const command of ['provision', 'provision', 'finalize'] as const) await scene.type(command);
  expect(Object.values(world.registrations).map(({ description }) => description)).toEqual([
    'purple-linux',
  ]);
  expect(await scene.rest()).toEqual([]);
});
