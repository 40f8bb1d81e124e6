import { describe, expect, test } from '@jest/globals';
import { submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, registrationsOf } from '../../fakes/world/serving.ts';
import { hour, isOpen, minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

describe('a promoted shard that is good under its customers’ jobs', () => {
  test('is watched by a job of its own, and the old one is there until then', async () => {
    const { scene, world } = await openBaking();

    const drained = await scene.type('shutdown');
    expect(drained).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(drained.kind === 'done' && drained.says).toMatch(
      /^pink is drained and stays alive until the bake of purple is over, at /,
    );
    expect(isOpen(world, pink)).toBe(false);

    const baked = await scene.type('bake');
    expect(baked).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('is told of at each look, with how many of its jobs have ended', async () => {
    const { scene, world } = await openBaking({ bake: { jobs: 2 } });
    await scene.type('shutdown');
    for (const after of [5, 10])
      scene.simulation.at(after * minute, () => {
        submitJob(world, { name: 'tests', tags: ['linux'], durationMs: minute, visible: true });
      });
    const { events } = await scene.type('bake');
    const told = events.flatMap((event) => (event.kind === 'bake' ? [event] : []));
    expect([...new Set(told.map(({ finished }) => finished))]).toEqual([0, 1, 2]);
    expect(told.at(-1)).toMatchObject({ shard: purple, verdict: 'healthy', wanted: 2 });
  });

  test('costs nothing where the drain takes longer', async () => {
    const { scene } = await openBaking({ longBuildMs: 2 * hour });
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
  });
});

describe('a promoted shard that is bad under its customers’ jobs', () => {
  test('is taken back by the job that watches, and its pipeline stays red', async () => {
    const { scene, world } = await openBaking();
    await scene.type('shutdown');
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));

    const ending = await scene.type('bake');

    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'promoted',
      error: { code: 'TakenBack', exitCode: 1 },
    });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(isOpen(world, pink)).toBe(true);
    const retired = await scene.type('finalize');
    expect(retired).toMatchObject({ kind: 'error', phase: 'done', error: { code: 'TakenBack' } });
    expect(await scene.type('finalize')).toMatchObject({
      kind: 'error',
      error: { code: 'TakenBack' },
    });
    expect(await scene.type('prepare')).toMatchObject({
      kind: 'error',
      error: { code: 'TakenBack' },
    });
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      kind: 'nothing',
    });
    expect(world.violations).toEqual([]);
  });

  test('is told of once and kept where it is only reported, and watched to its end', async () => {
    const { scene, world } = await openDrained({ bake: { onUnhealthy: 'report' } });
    const { now } = world;
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(world.now - now).toBeGreaterThan(25 * minute);
    const told = ending.log.filter((line) => line.includes("is bad under customers' jobs"));
    expect(told).toEqual([
      expect.stringMatching(
        /As long as pink lives, it takes over again by: hosted-runner rollback --runner linux$/,
      ),
    ]);
    expect(ending.log.join('\n')).toContain('Baked purple: unhealthy, 2 faults of the runner');
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('is gone back from by the command that is printed, while it is watched', async () => {
    const { scene, world } = await openDrained({ bake: { onUnhealthy: 'report' } });
    scene.simulation.at(5 * minute, () => breakJobs(world, purple, bad));
    const rollback = new Promise<Awaited<ReturnType<typeof scene.type>>>((resolve, reject) => {
      scene.simulation.at(15 * minute, () => {
        scene.type('rollback').then(resolve, reject);
      });
    });
    await scene.type('bake');
    expect(await rollback).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(activeShard(world, stackOf(world))).toBe(pink);
  });

  test.each([
    [{ onUnhealthy: 'rollback' }, 'TakenBack'],
    [{ onUnhealthy: 'hold' }, 'BakeHeld'],
  ] as const)(
    'is no command in the log where a rollback would be refused: %j',
    async (settings, code) => {
      const { scene, world } = await openDrained({ bake: settings });
      scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
      const ending = await scene.type('bake');
      expect(ending).toMatchObject({ kind: 'error', error: { code } });
      const told = ending.log.filter((line) => line.includes("is bad under customers' jobs"));
      expect(told).toHaveLength(1);
      expect(told[0]).not.toContain('hosted-runner');
    },
  );

  test('is not deployed again unasked, and what its customers saw is said', async () => {
    const { scene, world } = await openBaking();
    await scene.type('shutdown');
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    await scene.type('bake');
    await scene.type('finalize');
    await scene.simulation.advance(minute);
    const refused = await scene.type('prepare', { deploymentId: '1-300' });
    expect(refused).toMatchObject({
      kind: 'error',
      error: {
        code: 'TakenBackBefore',
        fields: {
          why: [
            expect.stringMatching(/^At .*: 2 faults of the runner in 2 jobs/),
            expect.anything(),
          ],
        },
      },
    });
    world.behaviour.revision += 1;
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({ kind: 'done' });
    expect(world.violations).toEqual([]);
  });

  test('is found out where one project alone has jobs, whatever proved the old shard in its day', async () => {
    const { scene, world } = await openBaking();
    const shop = ['acme/shop', 'acme/shop', 'acme/shop'];
    const [old] = registrationsOf(world, stackOf(world), pink);
    const canary = submitJob(world, {
      name: 'hosted_runner_canary',
      project: 'acme/runners',
      tags: ['nobody'],
      durationMs: 1000,
      visible: true,
    });
    const startedAt = world.now - hour;
    Object.assign(canary, {
      status: 'success',
      registrationId: old?.id,
      startedAt,
      finishedAt: startedAt + 1000,
    });
    await scene.type('shutdown');
    scene.simulation.at(10 * minute, () =>
      breakJobs(world, purple, shop, ['build', 'test', 'lint']),
    );
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(activeShard(world, stackOf(world))).toBe(pink);
  });

  test('ends the drain, and what is left of it is retired by the same run', async () => {
    const { scene, world } = await openBaking({ longBuildMs: 5 * hour });
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'error', phase: 'done', error: { code: 'TakenBack' } });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });
});
