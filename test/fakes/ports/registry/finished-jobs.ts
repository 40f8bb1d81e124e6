import type { FinishedJob } from '../../../../src/ports/registry.ts';
import type { JobState, World } from '../../world/world.ts';

/** As GitLab tells them; a job that never ran has none. */
export function timesOf({ createdAt, startedAt, finishedAt }: JobState) {
  if (startedAt === undefined) return {};
  return {
    startedAt: new Date(startedAt).toISOString(),
    queuedMs: startedAt - createdAt,
    ...(finishedAt === undefined ? {} : { durationMs: finishedAt - startedAt }),
  };
}

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
              project: job.project,
              ...timesOf(job),
              url: `https://gitlab.example.com/${job.project}/-/jobs/${job.id}`,
              ...(job.failureReason === undefined ? {} : { failureReason: job.failureReason }),
            },
          ]
        : [],
    )
    .sort((one, other) => Number(other.id) - Number(one.id))
    .slice(0, 100);
}
