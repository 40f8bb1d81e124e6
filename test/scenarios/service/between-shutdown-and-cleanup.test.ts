import { describe, expect, test } from '@jest/globals';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, isAcceptingJobs, registrationsOf } from '../../fakes/world/shards.ts';
import { openScene, withCustomers } from '../scene.ts';
import {
  end,
  hang,
  hour,
  irreversibleCalls,
  isOpen,
  killedAtStop,
  openPromoted,
  stackOf,
} from './promoted.ts';

describe('the time between shutdown and cleanup', () => {
  test('a new machine that hangs keeps the old shard from removal', async () => {
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
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
  });

  test('the end of the new machine keeps the old shard from removal', async () => {
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

test('a candidate that alone accepts jobs stays, whatever its checks report', async () => {
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
  expect(warned.some((line) => line.startsWith('! purple still accepts jobs, despite'))).toBe(true);
  expect(warned.at(-1)).toMatch(/^! Pause runner \d+ now if its jobs fail\.$/);
  expect(registrationsOf(world, stackOf(world), purple)[0]).toMatchObject({
    paused: false,
    tags: expect.arrayContaining(['linux']),
  });
  expect(irreversibleCalls(scene)).toEqual([]);
});

test('a shard that an operator unpauses between the drain and the stop is not stopped', async () => {
  const { scene, world } = await openPromoted((one) => one, killedAtStop());
  await scene.simulation.advance(6 * hour);
  expect(await scene.type('shutdown')).toMatchObject({ kind: 'killed' });
  for (const one of registrationsOf(world, stackOf(world), pink)) one.paused = false;
  absorb(world);
  await scene.simulation.advance(hour / 60);
  expect(await scene.type('finalize')).toMatchObject({
    phase: 'drained',
    error: { code: 'OpenedByOther', exitCode: 3 },
  });
  expect(scene.story.join('\n')).toContain(
    ' pink must take no new jobs, but its runner is unpaused again.',
  );
  expect(irreversibleCalls(scene).slice(1)).toEqual([]);
  expect(isOpen(world, pink)).toBe(true);
});

test.each(['deploy', 'finalize', 'shutdown'] as const)(
  'a rollback that died before it reopened the old shard is finished by %s, even if the other shard died too',
  async (command) => {
    const { scene, world } = await killedInRollback();
    end(world, purple);
    await scene.type(command);
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
  },
);

test('an unhealthy target of a dead rollback is not removed without a request', async () => {
  const { scene, world } = await killedInRollback();
  for (const host of hostsOf(world, stackOf(world), pink))
    host.workloadFault = 'docker: no space left on device';
  absorb(world);
  const before = irreversibleCalls(scene).length;
  expect(await scene.type('finalize')).toMatchObject({
    phase: 'promoting',
    error: { code: 'TakeBackUnproven', exitCode: 3 },
  });
  expect(irreversibleCalls(scene).slice(before)).toEqual([]);
  expect(isAcceptingJobs(world, stackOf(world), purple)).toBe(true);
  for (const host of hostsOf(world, stackOf(world), pink)) delete host.workloadFault;
  absorb(world);
  expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
  expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
});

async function killedInRollback() {
  let rollsBack = false;
  const { scene, world } = await openPromoted(
    (one) => one,
    ({ port, method, args }) =>
      rollsBack && port === 'registry' && method === 'setIntake' && args[1] === 'open'
        ? { kind: 'crash_before' }
        : undefined,
  );
  expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
  rollsBack = true;
  expect(await scene.type('rollback')).toMatchObject({ kind: 'killed', phase: 'promoting' });
  rollsBack = false;
  expect(isOpen(world, pink)).toBe(false);
  return { scene, world };
}
