import { describe, expect, test } from '@jest/globals';
import { submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, registrationsOf } from '../../fakes/world/shards.ts';
import { hour, isOpen, minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

describe('a promoted shard that is good under customer jobs', () => {
  test('passes its bake in a separate job, and the old shard exists until then', async () => {
    const { scene, world } = await openBaking();

    const drained = await scene.type('shutdown');
    expect(drained).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(drained.kind === 'done' && drained.text).toMatch(
      /^pink is drained and stays alive until the bake of purple ends, at /,
    );
    expect(isOpen(world, pink)).toBe(false);

    const baked = await scene.type('bake');
    expect(baked).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('appears in the log at each check, with the number of its finished jobs', async () => {
    const { scene, world } = await openBaking({ bake: { jobs: 2 } });
    await scene.type('shutdown');
    for (const after of [5, 10])
      scene.simulation.at(after * minute, () => {
        submitJob(world, { name: 'tests', tags: ['linux'], durationMs: minute, visible: true });
      });
    const { events } = await scene.type('bake');
    const bakeEvents = events.flatMap((event) => (event.kind === 'bake' ? [event] : []));
    expect([...new Set(bakeEvents.map(({ finished }) => finished))]).toEqual([0, 1, 2]);
    expect(bakeEvents.at(-1)).toMatchObject({ shard: purple, verdict: 'healthy', wanted: 2 });
  });

  test('needs no extra time if the drain takes longer', async () => {
    const { scene } = await openBaking({ longBuildMs: 2 * hour });
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
  });
});

describe('a promoted shard that is bad under customer jobs', () => {
  test('gets rolled back by the bake job, and its pipeline fails', async () => {
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

  test('appears in the log once and stays active until the bake ends if the verdict is only reported', async () => {
    const { scene, world } = await openDrained({ bake: { onUnhealthy: 'report' } });
    const { now } = world;
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(world.now - now).toBeGreaterThan(25 * minute);
    const warnings = ending.log.filter((line) => line.includes('is bad under customer jobs'));
    expect(warnings).toEqual([
      expect.stringMatching(
        /If pink still exists, roll back with: hosted-runner rollback --runner linux$/,
      ),
    ]);
    expect(ending.log.join('\n')).toContain('Baked purple: unhealthy, 2 runner system failures');
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('can be rolled back by the printed command during the bake', async () => {
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
    'causes no command in the log if a rollback by an operator would be refused: %j',
    async (settings, code) => {
      const { scene, world } = await openDrained({ bake: settings });
      scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
      const ending = await scene.type('bake');
      expect(ending).toMatchObject({ kind: 'error', error: { code } });
      const warnings = ending.log.filter((line) => line.includes('is bad under customer jobs'));
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).not.toContain('hosted-runner');
    },
  );

  test('needs a request to be deployed again, and the refusal names the customer failures', async () => {
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
            expect.stringMatching(/^At \S+ \S+ UTC, 2 runner system failures in 2 jobs/),
            expect.anything(),
            expect.anything(),
          ],
        },
      },
    });
    world.behaviour.revision += 1;
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({ kind: 'done' });
    expect(world.violations).toEqual([]);
  });

  test('gets rolled back even if a single project has jobs and a canary once proved the old shard', async () => {
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

  test('ends the drain, and the same run removes the rolled back shard', async () => {
    const { scene, world } = await openBaking({ longBuildMs: 5 * hour });
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'error', phase: 'done', error: { code: 'TakenBack' } });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });
});
