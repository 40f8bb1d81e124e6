import type { FinishedJob } from '../../src/ports/registry.ts';
import type { World } from './world.ts';

/** The newest jobs of a registration that have ended, as far as the token sees them. */
export function finishedJobs(world: World, id: string): readonly FinishedJob[] {
  return Object.values(world.jobs)
    .filter(({ registrationId, visible }) => registrationId === id && visible)
    .flatMap((job): FinishedJob[] =>
      job.status === 'success' || job.status === 'failed'
        ? [
            {
              id: job.id,
              name: job.name,
              status: job.status,
              url: `https://gitlab.example.com/${job.project}/-/jobs/${job.id}`,
              ...(job.failureReason === undefined ? {} : { failureReason: job.failureReason }),
            },
          ]
        : [],
    )
    .sort((one, other) => Number(other.id) - Number(one.id))
    .slice(0, 100);
}
