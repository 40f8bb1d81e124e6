import { settleLost } from '../../transport/answers/answer-loss.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { type Job, type JobPlace, readJob } from './job.ts';
import { isOver } from './stage-jobs.ts';

/** Decides whether a job has ended. With an unknown status it may still run. */
function isSettled(status: string): boolean {
  return isOver(status) || status === 'canceling' || status === 'manual';
}

/** Cancels the jobs that are alive and returns their number. */
export async function cancelJobs(
  client: GitLabClient,
  place: JobPlace,
  { jobs, machineIsGone = false }: { jobs: readonly Job[]; machineIsGone?: boolean | undefined },
): Promise<number> {
  const alive = jobs.filter((each) => !isSettled(each.status));
  const hanging = machineIsGone ? jobs.filter(({ status }) => status === 'canceling') : [];
  for (const { id } of hanging) await forceCancel(client, place, id);
  for (const { id } of alive) {
    await settleLost<unknown>(
      () => cancelJob(client, place, id),
      async () => (isSettled((await readJob(client, place, id)).status) ? true : undefined),
    );
  }
  return alive.length;
}

/**
 * Ends a job that is being cancelled. GitLab waits an hour for its runner. `force` ends the job if
 * the user is a maintainer and GitLab supports it (first behind `force_cancel_build`). Otherwise
 * the hour passes.
 * https://docs.gitlab.com/api/jobs/#cancel-a-job
 */
async function forceCancel(client: GitLabClient, place: JobPlace, id: number): Promise<void> {
  const endpoint = `projects/${encodeURIComponent(place.project)}/jobs/${id}/cancel`;
  try {
    await client.raw.post(endpoint, { body: { force: true } });
  } catch (error) {
    // A missing permission is reported, because it explains the wait of an hour.
    const isUnavailable = isRefusal(error, 403) || isRefusal(error, 400);
    if (!isUnavailable || error.ground !== undefined) throw error;
  }
}

async function cancelJob(client: GitLabClient, place: JobPlace, id: number): Promise<void> {
  try {
    await client.jobs.cancel(place.project, id);
  } catch (error) {
    // The job ended meanwhile: nothing is left to cancel.
    const refused = isRefusal(error, 403) || isRefusal(error, 400);
    if (!refused || !isSettled((await readJob(client, place, id)).status)) throw error;
  }
}
