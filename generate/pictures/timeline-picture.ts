import type { Log } from '../../src/ports/log-event.ts';
import { createCollector } from '../../src/report/collector.ts';
import { join } from '../../src/report/drawing/elements.ts';
import { pictureOfRun } from '../../src/report/picture-of-run.ts';
import type { RunReport } from '../../src/report/run-report.ts';
import { drawColumns } from './column-drawing.ts';
import type { RecordedEvent } from './recorded-run.ts';

/** Renders the timeline of a recorded run as a picture for README, light or dark. */
export function renderTimelinePicture(run: readonly RecordedEvent[]): string {
  let now = run[0]?.at ?? 0;
  const collector = createCollector({ now: () => now });
  const log: Log = collector.tee({ section() {}, act() {}, wait() {}, warn() {}, event() {} });
  for (const { at, event } of run) {
    now = at;
    if (event.kind === 'said') log.wait(event.text);
    else log.event(event);
  }
  const { deployment, ...observed } = collector.collected();
  const picture = pictureOfRun({ ...observed, deployment } as RunReport);
  const job = picture?.jobs.findLast(({ shard }) => shard === deployment?.retiring);
  if (picture === undefined || deployment === undefined || job?.endedAt === undefined)
    throw new Error('The recorded run lacks a deployment whose drain waits for a job.');
  const accepting = picture.spans.find(
    ({ shard, state }) => shard === deployment.candidate && state === 'serving',
  );
  const callouts = [
    { at: accepting?.from ?? picture.from, text: `${deployment.candidate} accepts jobs` },
    { at: job.endedAt, text: `${job.shard} stays up until its job has ended` },
  ];
  // The picture starts with the deployment. The record names its shards only from then on.
  const from = Math.min(...picture.spans.map((span) => span.from));
  return `${join([drawColumns({ ...picture, from, jobs: [job] }, callouts)])}\n`;
}
