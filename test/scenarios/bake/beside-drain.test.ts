import { describe, expect, test } from '@jest/globals';
import { jobsAndWebhook } from '../../fakes/bake-settings.ts';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import {
  activeShard,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { hour, minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, pink, purple, stackOf } from './baked.ts';

const phaseOf = (world: World) =>
  deploymentOf(parameterValue(world, parametersOf(stackOf(world)).record)).phase;

const countWarnings = (log: readonly string[]) =>
  log.filter((line) => /is bad under|fails more customer jobs/.test(line)).length;

/** Settings for a drain of three hours and a bake that could end after half an hour of it. */
const long = { forMs: 30 * minute } as const;

describe('a bad shard during the drain of the old one', () => {
  test.each(['report', 'off'] as const)(
    'appears in the log once with on_unhealthy %s, and the drain continues to its end',
    async (onUnhealthy) => {
      const { scene, world } = await openBaking({
        bake: { ...long, onUnhealthy },
        longBuildMs: 3 * hour,
      });
      scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
      const early = await scene.type('shutdown', { deadline: world.now + 45 * minute });
      expect(early).toMatchObject({ kind: 'error', error: { exitCode: 75 } });
      expect(phaseOf(world)).toBe('draining');
      const ending = await scene.type('finalize');
      expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
      expect([countWarnings(early.log), countWarnings(ending.log)]).toEqual([1, 1]);
      expect(activeShard(world, stackOf(world))).toBe(purple);
      expect(world.violations).toEqual([]);
    },
  );

  test('does not count as baked past the time limit if a rollback is impossible', async () => {
    const { scene, world } = await openBaking({
      bake: { ...long, atMostMs: 40 * minute, signals: jobsAndWebhook },
      longBuildMs: 3 * hour,
    });
    const phases = new Set<string | undefined>();
    for (let at = 1; at < 170; at += 1)
      scene.simulation.at(at * minute, () => {
        phases.add(phaseOf(world));
      });
    scene.simulation.at(5 * minute, () => {
      for (const { id } of registrationsOf(world, stackOf(world), pink))
        delete world.registrations[id];
      absorb(world);
    });
    scene.simulation.at(10 * minute, () => {
      world.signals = { webhook: { kind: 'bad', detail: 'answered 400' } };
    });
    const ending = await scene.type('shutdown', { deadline: world.now + 2 * hour });
    expect(
      ending.log.filter((line) => line.includes('No rollback to pink is possible')),
    ).toHaveLength(1);
    expect([...phases]).toEqual(['draining']);
    expect(world.violations).toEqual([]);
  });

  test('stays in its bake under a hold and is rolled back after the release', async () => {
    const { scene, world } = await openBaking({ longBuildMs: 5 * hour });
    scene.simulation.at(5 * minute, () => {
      void scene.type('hold', { deploymentId: '1-250' });
    });
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    scene.simulation.at(hour, () => {
      void scene.type('release', { deploymentId: '1-250' });
    });
    const before = world.now;
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(world.now - before).toBeGreaterThan(hour);
    expect(countWarnings(ending.log)).toBe(1);
    expect(ending.log.filter((line) => line.includes('purple stays in its bake'))).toHaveLength(1);
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('waits for an operator, and the printed setting keeps it to the end of the drain', async () => {
    const { scene, world } = await openBaking({
      bake: { ...long, onUnhealthy: 'hold' },
      longBuildMs: 3 * hour,
    });
    scene.simulation.at(40 * minute, () => breakJobs(world, purple, bad));
    const held = await scene.type('shutdown');
    expect(held).toMatchObject({ kind: 'error', phase: 'draining', error: { code: 'BakeHeld' } });
    await scene.type('release');
    const { bake } = stackOf(world);
    world.stacks[0] = { ...stackOf(world), bake: { ...bake, onUnhealthy: 'report' } };
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });
});
