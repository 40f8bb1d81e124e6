import type { Job } from '../gitlab/state.ts';
import { type GitLabWord, type JudgedJob, judgeJob, type SubmittedJob } from './count.ts';
import type { Switch } from './history.ts';
import type { Look } from './look.ts';
import type { Marks } from './marks.ts';

/** Each submitted job by its own marks and by GitLab's list of jobs. */
export function judgeJobs({
  submitted,
  marks,
  gitlabJobs,
  looks,
  now,
}: {
  submitted: readonly SubmittedJob[];
  marks: ReadonlyMap<number, Marks>;
  gitlabJobs: readonly Job[];
  looks: readonly Look[];
  now: number;
}): readonly JudgedJob[] {
  const shardOf = new Map(looks.flatMap((look) => Object.entries(look.registrations)));
  const words = new Map(
    gitlabJobs.map(({ id, status, failureReason, runnerId }): [number, GitLabWord] => {
      const shard = shardOf.get(String(runnerId));
      return [id, { status, failureReason, ...(shard === undefined ? {} : { shard }) }];
    }),
  );
  return submitted.map((job) =>
    judgeJob(job, { marks: marks.get(job.number), word: words.get(job.gitlabId), now }),
  );
}

/** Jobs that began before a switch and ended after it. */
export function outlasting(
  jobs: readonly JudgedJob[],
  switches: readonly Switch[],
): readonly JudgedJob[] {
  return jobs.filter(({ shard, startedAt, endedAt }) =>
    switches.some(
      ({ at, from }) =>
        startedAt !== undefined &&
        endedAt !== undefined &&
        shard === from &&
        startedAt < at &&
        at < endedAt,
    ),
  );
}
