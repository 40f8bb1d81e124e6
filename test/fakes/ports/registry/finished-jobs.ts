import { type JobHistory, joinEndings } from '../../../../src/domain/health/job-history.ts';
import { PortFailure } from '../../../../src/ports/failure.ts';
import type {
  BegunJob,
  FinishedJob,
  NewestJobs,
  RegistryJob,
} from '../../../../src/ports/registry.ts';
import { listedJobs } from '../../hosts/runner-removal.ts';
import type { JobState, World } from '../../world/world.ts';

/** Returns the times as GitLab reports them. A job that never ran has none. */
export function timesOf({ createdAt, startedAt, finishedAt }: JobState) {
  if (startedAt === undefined) return {};
  return {
    startedAt: new Date(startedAt).toISOString(),
    queuedMs: startedAt - createdAt,
    ...(finishedAt === undefined ? {} : { durationMs: finishedAt - startedAt }),
  };
}

/** Number of jobs listed for each result. */
const listed = 1000;

/** Lists the jobs that the token can see. */
export function shownJobs(world: World, id: string): readonly RegistryJob[] {
  return listedJobs(world, id)
    .filter(({ visible }) => visible)
    .map((job) => ({
      id: job.id,
      name: job.name,
      status: job.status as RegistryJob['status'],
      project: job.project,
      ...timesOf(job),
      url: `https://gitlab.example.com/${job.project}/-/jobs/${job.id}`,
    }));
}

/** Returns one page of all jobs of the registration. */
export function newestJobs(world: World, id: string): NewestJobs {
  const all = Object.values(world.jobs)
    .filter(({ registrationId, visible }) => registrationId === id && visible)
    .map((job) => job.id)
    .sort((one, other) => Number(other) - Number(one));
  const page = new Set(all.slice(0, 100));
  return {
    jobs: shownJobs(world, id).filter((job) => page.has(job.id)),
    finished: allFinished(world, id).filter((job) => page.has(job.id)),
    isWhole: all.length <= 100,
  };
}

/** Returns the newest finished jobs of a registration that the token can see. */
export function finishedJobs(world: World, id: string): readonly FinishedJob[] {
  return allFinished(world, id).slice(0, 100);
}

/** Returns the started jobs of a manager. A job keeps its manager from its start on. */
export function begunJobs(world: World, id: string, systemId: string): readonly BegunJob[] {
  return Object.values(world.jobs)
    .filter((job) => job.registrationId === id && job.systemId === systemId && job.visible)
    .flatMap(({ id: job, name, startedAt: at, status, failureReason }) =>
      at === undefined
        ? []
        : [
            {
              ...{ id: job, name, startedAt: new Date(at).toISOString() },
              ...(status === 'failed' && failureReason !== undefined ? { failureReason } : {}),
            },
          ],
    )
    .sort((one, other) => Number(other.id) - Number(one.id))
    .slice(0, 100);
}

/** GitLab's total includes jobs that it does not list. */
export function jobHistory(world: World, id: string): JobHistory {
  const all = allFinished(world, id);
  const of = (ending: FinishedJob['status']) => {
    const jobs = all.filter(({ status }) => status === ending);
    return { jobs: jobs.slice(0, listed), unlisted: Math.max(0, jobs.length - listed) };
  };
  return joinEndings({ success: of('success'), failed: of('failed') });
}

function allFinished(world: World, id: string): readonly FinishedJob[] {
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
    .sort((one, other) => Number(other.id) - Number(one.id));
}

export function refuseOfGitHub(world: World, id: string): void {
  if (world.behaviour.runners === undefined) return;
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `GitHub jobs of ${id}`,
    detail: 'GitHub does not list the finished jobs of a runner',
  });
}
