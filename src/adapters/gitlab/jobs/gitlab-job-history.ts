import {
  type JobHistory,
  joinEndings,
  type ListedEnding,
} from '../../../domain/health/job-history.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { FinishedJob } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { readPage } from '../list-reader.ts';
import { numberOf } from '../runners/rest-runner.ts';
import { finishedJob, toFinishedJob } from './runner-jobs.ts';

/** Limit per status: a thousand jobs, in ten requests at the first check of a process. */
const mostPages = 10;

type Ending = FinishedJob['status'];

interface Known {
  readonly jobs: ReadonlyMap<number, FinishedJob>;
  readonly unlisted: number | 'unknown';
}

/**
 * Reads back to a runner's first job, or up to the page limit. A finished job never changes, so
 * jobs stay cached for the life of the process. A later check reads new pages until the count
 * matches GitLab's. A page of known jobs is no end: a job that ran long has an older id than jobs
 * that finished before it.
 */
export function createJobHistory(
  client: GitLabClient,
): (id: RegistrationId) => Promise<JobHistory> {
  const known = new Map<string, Known>();

  async function readEnding(id: RegistrationId, status: Ending): Promise<ListedEnding> {
    const key = `${id} ${status}`;
    const now = await readOn(client, { id, status }, known.get(key));
    known.set(key, now);
    return { jobs: [...now.jobs.values()], unlisted: now.unlisted };
  }

  return async (id) =>
    joinEndings({
      success: await readEnding(id, 'success'),
      failed: await readEnding(id, 'failed'),
    });
}

async function readOn(
  client: GitLabClient,
  { id, status }: { readonly id: RegistrationId; readonly status: Ending },
  known: Known | undefined,
): Promise<Known> {
  const read = new Map<number, FinishedJob>();
  let counted: number | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const { items, total, isLast } = await readPage(
      client,
      {
        endpoint: `runners/${numberOf(id)}/jobs`,
        query: { status, order_by: 'id', sort: 'desc' },
        item: finishedJob,
      },
      page,
    );
    for (const job of items)
      if (job.status === status) read.set(job.id, toFinishedJob(job, status));
    if (isLast) return { jobs: read, unlisted: 0 };
    counted = total;
    if (known === undefined || known.unlisted === 'unknown' || total === undefined) continue;
    const jobs = new Map([...known.jobs, ...read]);
    // If jobs were deleted meanwhile, the counts differ, and all pages are read again.
    if (jobs.size + known.unlisted === total) return { jobs, unlisted: known.unlisted };
  }
  return {
    jobs: read,
    unlisted: counted === undefined ? 'unknown' : Math.max(1, counted - read.size),
  };
}
