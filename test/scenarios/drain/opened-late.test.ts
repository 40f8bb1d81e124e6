import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import type { Simulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { writes } from '../../stages/reach.ts';
import {
  end,
  hang,
  hour,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  removeHostAccess,
  stackOf,
} from '../service/promoted.ts';

/**
 * Opens a stack with pink drained and without access to hosts. `act` runs within a minute after the
 * drain's last check.
 */
async function openDrained(act: (of: Simulation) => void) {
  let isOver = false;
  const { scene, world } = await openPromoted(removeHostAccess, (call) => {
    if (isOver || !writes('destroying')(call)) return undefined;
    isOver = true;
    act(scene.simulation);
    return { kind: 'delay', afterMs: minute };
  });
  await scene.simulation.advance(6 * hour);
  expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
  return { scene, world };
}

function setPaused(world: World, paused: boolean): void {
  for (const one of registrationsOf(world, stackOf(world), pink)) one.paused = paused;
  absorb(world);
}

/** Unpauses pink, which takes a job that only pink's tags match. */
function openToJob({ world }: Simulation): void {
  setPaused(world, false);
  for (const one of registrationsOf(world, stackOf(world), pink)) one.tags = ['linux', 'arm'];
  submitJob(world, { name: 'late build', tags: ['arm'], durationMs: 2 * hour });
}

describe('a shard that an operator unpauses after the last check of its drain, without access to hosts', () => {
  test('stays with the job that it takes', async () => {
    const { scene, world } = await openDrained(openToJob);
    const expected = { phase: 'destroying', error: { code: 'OpenedByOther', exitCode: 3 } };
    expect(await scene.type('cleanup')).toMatchObject(expected);
    expect(isOpen(world, pink)).toBe(true);
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(world.violations).toEqual([]);
  });

  test('gets drained of the job that it took if it was paused again', async () => {
    const { scene, world } = await openDrained((simulation) => {
      openToJob(simulation);
      simulation.at(minute / 2, (then) => setPaused(then, true));
    });
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'destroying',
      error: { code: 'StillDraining', exitCode: 75 },
    });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(Object.values(world.jobs).find(({ name }) => name === 'late build')?.status).toBe(
      'success',
    );
    expect(await scene.rest()).toEqual([]);
  });
});

test.each([
  ['ends', end],
  ['hangs', hang],
] as const)(
  'a last check of an hour in which the new machine %s leads to no removal on the earlier proof',
  async (_, strikes) => {
    let [isDue, isDone] = [false, false];
    const { scene } = await openPromoted(undefined, (call) => {
      isDue ||= writes('destroying')(call);
      if (!isDue || isDone || call.method !== 'listJobs' || call.args[0] !== '48213')
        return undefined;
      isDone = true;
      scene.simulation.at(10 * minute, (then) => strikes(then, purple));
      return { kind: 'delay', afterMs: hour };
    });
    await scene.type('shutdown');
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'error' });
    expect(isDone).toBe(true);
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
  },
);
