import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { countJudged, eventFile } from '../../../sandbox/demo/count/judged.ts';
import { summarize } from '../../../sandbox/demo/story.ts';
import { finishedJob, smallRun } from './stories.ts';

const service = (kind: string) =>
  `${JSON.stringify({ n: 1, kind: 'service', service: { kind } })}\n`;

test('what was answered of service is counted scenario by scenario, a line that was cut off is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'judged-'));
  try {
    await writeFile(eventFile(folder, 0), service('proven') + service('unknown'));
    await writeFile(
      eventFile(folder, 2),
      `${JSON.stringify({ kind: 'said', text: 'unknown' })}\n${service('disproven')}${service('proven').slice(0, 30)}`,
    );
    expect(await countJudged(folder, [{}, {}, { isBroken: true }])).toEqual({
      whole: { asked: 2, unknown: 1 },
      broken: { asked: 1, unknown: 0 },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the summary tells how often nobody could tell, and how long nobody served', () => {
  const jobs = [900, 6100, 500, 20].map((waitMs) => finishedJob({ stream: 'outage', waitMs }));
  const lines = summarize(
    smallRun({
      outages: [{ from: 1000, to: 6900 }],
      jobs,
      judged: { whole: { asked: 23, unknown: 0 }, broken: { asked: 14, unknown: 2 } },
    }),
  );
  expect(lines.slice(3, 5)).toEqual([
    {
      of: 'Serving',
      text: 'at each of 600 looks at least one shard took jobs, but for 5.9s after the only machine had died; 4 jobs submitted meanwhile waited 6.1s at most',
    },
    {
      of: 'Judge',
      text: 'asked 23 times whether a shard serves where nothing was broken: unknown 0; 14 times elsewhere: unknown 2',
    },
  ]);
});
