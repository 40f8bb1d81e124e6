import { settleLost } from '../transport/lost-answer.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { GitLabClient } from './client.ts';
import { type Job, type JobPlace, type JobStatus, readJob } from './job.ts';

const cancelable: ReadonlySet<JobStatus> = new Set<JobStatus>([
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'scheduled',
]);

/** Cancels what is alive among the jobs; how many were. */
export async function cancelJobs(
  client: GitLabClient,
  place: JobPlace,
  jobs: readonly Job[],
): Promise<number> {
  const alive = jobs.filter((each) => cancelable.has(each.status));
  for (const { id } of alive) {
    await settleLost<unknown>(
      () => cancelJob(client, place, id),
      async () => (cancelable.has((await readJob(client, place, id)).status) ? undefined : true),
    );
  }
  return alive.length;
}

async function cancelJob(client: GitLabClient, place: JobPlace, id: number): Promise<void> {
  try {
    await client.jobs.cancel(place.project, id);
  } catch (error) {
    // It ended on its own in the meantime: there is nothing left to cancel.
    const refused = isRefusal(error, 403) || isRefusal(error, 400);
    if (!refused || cancelable.has((await readJob(client, place, id)).status)) throw error;
  }
}
