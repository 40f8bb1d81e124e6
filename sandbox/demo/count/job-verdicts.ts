import type { CiServer } from '../run/ci-server.ts';
import type { Reading } from '../stack-reading.ts';
import { type CheckedJob, type CiJobResult, judgeJob, type SubmittedJob } from './count.ts';
import type { Switch } from './history.ts';
import type { Marks } from './marks.ts';

/** Checks each submitted job against its own marks and the job list of GitLab or GitHub. */
export function judgeJobs({
  submitted,
  marks,
  ciServer,
  readings,
  now,
}: {
  submitted: readonly SubmittedJob[];
  marks: ReadonlyMap<number, Marks>;
  ciServer: Pick<CiServer, 'name' | 'jobs'>;
  readings: readonly Reading[];
  now: number;
}): readonly CheckedJob[] {
  const shardOf = new Map(readings.flatMap((reading) => Object.entries(reading.registrations)));
  const words = new Map(
    ciServer.jobs().map(({ id, status, failureReason, runnerId }): [number, CiJobResult] => {
      const shard = shardOf.get(String(runnerId));
      return [
        id,
        {
          ciServer: ciServer.name,
          status,
          failureReason,
          ...(shard === undefined ? {} : { shard }),
        },
      ];
    }),
  );
  return submitted.map((job) =>
    judgeJob(job, { marks: marks.get(job.number), word: words.get(job.ciJobId), now }),
  );
}

/** Lists jobs that began before a switch and ended after it. */
export function outlasting(
  jobs: readonly CheckedJob[],
  switches: readonly Switch[],
): readonly CheckedJob[] {
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
