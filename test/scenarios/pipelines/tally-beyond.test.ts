import { describe, expect, test } from '@jest/globals';
import { closeJob } from '../../fakes/world/jobs.ts';

import { cost, drainInPieces, minute, promoted, recorded } from './draining.ts';

describe('a drain beyond the ids that the record keeps', () => {
  const jobs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ minutes: index % 2 === 0 ? 20 : 45 }));

  test.each([40, 41, 100])('marks a count of %d jobs only above 40', async (count) => {
    const { scene, world } = await promoted({ jobs: jobs(count), concurrent: count });
    const ending = await scene.type('finalize');
    expect(cost(world)).toMatchObject({ jobsFinished: count, jobsBroken: 0 });
    const finished = count > 40 ? `at least ${count}` : `${count}`;
    const said = `${finished} jobs finished while their shard drained, 0 lost`;
    expect(ending.kind === 'done' && ending.says).toContain(said);
  });

  test.each([41, 100])('never counts %d jobs twice over many runs', async (count) => {
    const { scene, world } = await promoted({ jobs: jobs(count), concurrent: count });
    await drainInPieces(scene, 'shutdown');
    await scene.type('cleanup');
    expect(recorded(world).history[0]?.cost).toMatch(`jobs=${count}+ broken=0 wait`);
  });

  test.each([44, 0])(
    'counts a job that its runner fails between two runs: job %d',
    async (index) => {
      const { scene, world } = await promoted({ jobs: jobs(45), concurrent: 45 });
      await scene.type('shutdown', { deadline: world.now + 8 * minute });
      const job = Object.values(world.jobs).find(({ name }) => name === `build ${index}`);
      if (job === undefined) throw new Error('no such job');
      job.failureReason = 'runner_system_failure';
      closeJob(world, job, 'failed');
      await drainInPieces(scene, 'finalize');
      expect(cost(world)).toMatchObject({
        jobsFinished: 44,
        jobsBroken: 1,
        broken: [{ id: job.id, why: 'runner_failed' }],
      });
    },
  );
});
