import { describe, expect, test } from '@jest/globals';
import { closeJob } from '../../fakes/world/jobs.ts';

import { cost, drainInPieces, minute, promoted } from './draining.ts';

describe('a drain beyond the ids that the record keeps', () => {
  const jobs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ minutes: index % 2 === 0 ? 20 : 45 }));

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
