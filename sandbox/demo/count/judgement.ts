import type { Look } from '../look.ts';
import type { Forge } from '../play/forge.ts';
import { type ForgeWord, type JudgedJob, judgeJob, type SubmittedJob } from './count.ts';
import type { Switch } from './history.ts';
import type { Marks } from './marks.ts';

/** Each submitted job by its own marks and by the list of jobs of GitLab or GitHub. */
export function judgeJobs({
  submitted,
  marks,
  forge,
  looks,
  now,
}: {
  submitted: readonly SubmittedJob[];
  marks: ReadonlyMap<number, Marks>;
  forge: Pick<Forge, 'name' | 'jobs'>;
  looks: readonly Look[];
  now: number;
}): readonly JudgedJob[] {
  const shardOf = new Map(looks.flatMap((look) => Object.entries(look.registrations)));
  const words = new Map(
    forge.jobs().map(({ id, status, failureReason, runnerId }): [number, ForgeWord] => {
      const shard = shardOf.get(String(runnerId));
      return [
        id,
        { forge: forge.name, status, failureReason, ...(shard === undefined ? {} : { shard }) },
      ];
    }),
  );
  return submitted.map((job) =>
    judgeJob(job, { marks: marks.get(job.number), word: words.get(job.forgeId), now }),
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
