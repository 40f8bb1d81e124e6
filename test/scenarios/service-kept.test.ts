import { describe, expect, test } from '@jest/globals';
import { pink, purple, worldWithActive } from '../fakes/builders.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import type { Call } from '../fakes/seam/seam.ts';
import { hostsOf, isServing, registrationsOf } from '../fakes/world/serving.ts';
import { openScene, withCustomers } from './scene.ts';
import { end, hang, hour, irreversibleCalls, openPromoted, stackOf } from './service/promoted.ts';

describe('between shutdown and cleanup', () => {
  test('a new machine that hangs keeps the old one from being taken away', async () => {
    const { scene, world } = await openPromoted();
    await scene.type('shutdown');
    await scene.simulation.advance(hour);
    hang(world, purple);
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'drained',
      error: { code: 'ServiceUnproven', exitCode: 1 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(isServing(world, stackOf(world), pink)).toBe(true);
  });

  test('the end of the new machine keeps the old one from being taken away', async () => {
    const { scene, world } = await openPromoted();
    await scene.type('shutdown');
    end(world, purple);
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'drained',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
  });
});

test('a candidate that alone serves is left serving, whatever its checks say', async () => {
  const world = worldWithActive(pink);
  const isTagged = ({ port, method, args }: Call) =>
    port === 'registry' && method === 'setIntake' && args[1] === 'open';
  let killed = false;
  const scene = openScene(withCustomers(world), (call) => {
    const writes = call.port === 'parameters' && JSON.stringify(call.args[0]).includes('promoting');
    if (killed || !(isTagged(call) || writes)) return undefined;
    killed = true;
    return { kind: 'crash_after' };
  });
  await scene.type('prepare');
  await scene.type('provision');
  const [registration] = registrationsOf(world, stackOf(world), purple);
  if (registration === undefined) throw new Error('purple is not registered');
  registration.tags = ['linux'];
  end(world, pink);
  for (const host of hostsOf(world, stackOf(world), purple))
    host.workloadFault = 'docker: no space left on device';
  absorb(world);
  const ending = await scene.type('provision');
  expect(ending).toMatchObject({ kind: 'error', phase: 'promoting' });
  const warned = ending.log.filter((line) => line.startsWith('! '));
  expect(warned.some((line) => line.startsWith('! purple is left serving, whatever'))).toBe(true);
  expect(warned.at(-1)).toMatch(/^! Pause runner \d+ now if its jobs fail\.$/);
  expect(registrationsOf(world, stackOf(world), purple)[0]).toMatchObject({
    paused: false,
    tags: expect.arrayContaining(['linux']),
  });
  expect(irreversibleCalls(scene)).toEqual([]);
});
