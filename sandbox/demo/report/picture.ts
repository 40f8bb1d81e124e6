import type { DrawnJob, Picture } from '../../../src/report/drawing/picture.ts';
import type { JudgedJob } from '../count/count.ts';
import type { Story } from '../story.ts';

/** What of a story is drawn. */
export function pictureOf(story: Story): Picture {
  return { ...story, jobs: story.jobs.map(drawn) };
}

function drawn(job: JudgedJob): DrawnJob {
  const { number, kind, verdict, waitMs, shard, startedAt, endedAt } = job;
  return {
    shard,
    startedAt,
    endedAt,
    kind: verdict === 'finished' ? kind : 'harmed',
    said: `job ${number}, ${kind}, ${verdict}, waited ${Math.round(waitMs)} ms`,
  };
}
