import { expect, test } from '@jest/globals';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const minute = 60_000;

test('a drain ends with exit code 75 before its credentials do, and the next run goes on', async () => {
  const world = await reach('draining');
  const scene = openScene(world);
  world.behaviour.credentialsEndAt = world.now + 30 * minute;
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({
    phase: 'draining',
    error: { code: 'StillDraining', exitCode: 75 },
  });
  expect(world.now).toBeLessThan(world.behaviour.credentialsEndAt);
  delete world.behaviour.credentialsEndAt;
  await scene.type('finalize');
  expect(await scene.rest()).toEqual([]);
});

test.each([
  ['no apply is begun in the last ten minutes', 'onboarded', 'provision', 9],
  ['no effect is begun in the last two', 'prepared', 'onboard', 1],
] as const)('%s of the credentials: exit code 75', async (_name, place, stage, minutes) => {
  const world = await reach(place);
  const before = structuredClone({ registrations: world.registrations, hosts: world.hosts });
  const scene = openScene(world);
  world.behaviour.credentialsEndAt = world.now + minutes * minute;
  const ending = await scene.type(stage);
  expect(ending).toMatchObject({ error: { code: 'CredentialsEnded', exitCode: 75 } });
  expect({ registrations: world.registrations, hosts: world.hosts }).toEqual(before);
  delete world.behaviour.credentialsEndAt;
  for (const next of ['onboard', 'provision', 'finalize'] as const)
    await scene.type(next, { jobId: `${next} 2` });
  expect(await scene.rest()).toEqual([]);
});
