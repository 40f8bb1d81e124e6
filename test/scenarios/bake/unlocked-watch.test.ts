import { describe, expect, test } from '@jest/globals';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { activeShard, hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import { end, hang, hour, isOpen, minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

describe('a bake without the lock', () => {
  test('logs once how soon a problem is found and which run continues the checks', async () => {
    const { scene, world } = await openDrained();
    const deadline = world.now + 3 * hour;
    const { log } = await scene.type('finalize', { deadline });
    expect(log.filter((line) => line.includes('Checking purple during the bake'))).toEqual([
      expect.stringContaining(
        `Checking purple during the bake: too many failures of its jobs are found within 1m, a bad signal within 3m. When this job ends at ${new Date(deadline).toISOString()}, its retry or the schedule continues the checks.`,
      ),
    ]);
  });

  test('logs at a terminal that the checks end with the command', async () => {
    const { scene } = await openDrained();
    const { log } = await scene.type('bake', { ci: 'terminal', deploymentId: 't-1' });
    expect(log.join('\n')).toContain(
      'When this command ends, the checks stop until you run it again.',
    );
  });

  test('takes no lock of a living owner, although it took the lock of a dead one before', async () => {
    const { scene, world } = await openDrained();
    let typed: Promise<unknown> | undefined;
    scene.simulation.at(27 * minute, () => {
      typed = scene.type('rollback', { deploymentId: '1-250' });
    });
    scene.simulation.at(27 * minute + 5000, () => breakJobs(world, purple, bad));
    const ending = await scene.type('finalize', { takeLock: true });
    expect(await typed).toMatchObject({ kind: 'done' });
    expect(ending).toMatchObject({
      kind: 'error',
      error: {
        code: 'TakenBack',
        exitCode: 1,
        fields: {
          why: [expect.anything(), expect.stringContaining('Another run holds the lock of linux.')],
        },
      },
    });
    expect(ending.log.join('\n')).not.toContain('taken over by hand');
    expect(world.violations).toEqual([]);
  });

  test('respects an operator who unpauses the old shard, and stops nothing', async () => {
    const { scene, world } = await openDrained();
    scene.simulation.at(5 * minute, () => {
      for (const one of registrationsOf(world, stackOf(world), pink)) one.paused = false;
      absorb(world);
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'OpenedByOther' },
    });
    expect(isOpen(world, pink)).toBe(true);
    expect(hostsOf(world, stackOf(world), pink).map(({ process }) => process)).toEqual(['running']);
  });

  test('survives a Parameter Store that does not respond for a while', async () => {
    let isOut = false;
    const intercept: Intercept = ({ port }) =>
      isOut && port === 'parameters' ? { kind: 'error_before', failure: 'unreachable' } : undefined;
    const { scene, world } = await openDrained({ intercept });
    scene.simulation.at(5 * minute, () => {
      isOut = true;
    });
    scene.simulation.at(15 * minute, () => {
      isOut = false;
    });
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(world.violations).toEqual([]);
  });

  test('rolls nothing back for failures that the old shard may share while its jobs cannot be listed', async () => {
    let isUnread = false;
    const intercept: Intercept = ({ method, args }) =>
      isUnread && method === 'readJobHistory' && args[0] === '48213'
        ? { kind: 'error_before', failure: 'unreachable' }
        : undefined;
    const { scene, world } = await openDrained({ intercept });
    scene.simulation.at(5 * minute, () => {
      isUnread = true;
      for (const shard of [purple, pink]) breakJobs(world, shard, bad);
    });
    scene.simulation.at(20 * minute, () => {
      isUnread = false;
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });

  test('does nothing for an older pipeline', async () => {
    const { scene, world } = await openDrained();
    addPipeline(world, { deploymentId: '1-100', createdAt: world.now - 5 * hour });
    const before = world.now;
    expect(await scene.type('bake', { deploymentId: '1-100' })).toMatchObject({ kind: 'nothing' });
    expect(world.now - before).toBeLessThan(minute);
  });

  test('reopens the old shard under a hold if the new one dies, even in deploy', async () => {
    const { scene, world } = await openBaking();
    scene.simulation.at(8 * minute, () => {
      void scene.type('hold', { deploymentId: '1-250' });
    });
    scene.simulation.at(12 * minute, () => end(world, purple));
    let isOpened: boolean | undefined;
    scene.simulation.at(20 * minute, () => {
      isOpened = isOpen(world, pink);
    });
    scene.simulation.at(3 * hour, () => {
      void scene.type('release', { deploymentId: '1-250' });
    });
    const ending = await scene.type('deploy');
    await scene.simulation.advance(20 * minute);
    expect(ending).toMatchObject({ kind: 'error' });
    expect(isOpened).toBe(true);
  });
});

describe('a rollback for which no canary is possible', () => {
  /**
   * Opens a bake without its pipeline's canary, like a schedule or a terminal with `canary.kind:
   * job`.
   */
  async function openWithout() {
    let isLater = false;
    const intercept: Intercept = ({ port, method }) =>
      isLater && port === 'canary' && method === 'start'
        ? { kind: 'error_before', failure: 'refused' }
        : undefined;
    const opened = await openDrained({ intercept });
    isLater = true;
    opened.scene.simulation.at(5 * minute, () => breakJobs(opened.world, purple, bad));
    return opened;
  }

  test('succeeds if the other evidence verifies the old shard', async () => {
    const { scene, world } = await openWithout();
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(ending.log.join('\n')).toContain('No canary can run on pink');
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('succeeds in the same way for an operator', async () => {
    const { scene, world } = await openWithout();
    const ending = await scene.type('rollback');
    expect(ending).toMatchObject({ kind: 'done' });
    expect(ending.log.join('\n')).toContain('No canary can run on pink');
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('fails for an operator if the old process hangs', async () => {
    const { scene, world } = await openWithout();
    hang(world, pink);
    const ending = await scene.type('rollback');
    expect(ending).toMatchObject({ kind: 'error' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });

  test('does not happen if the old process hangs', async () => {
    const { scene, world } = await openWithout();
    hang(world, pink);
    await scene.type('bake');
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });
});
