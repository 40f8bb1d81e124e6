import { expect, test } from '@jest/globals';
import { settle } from '../../../sandbox/demo/run/stream.ts';

/** How many seconds these jobs are waited for, each of which ends at its second. */
async function waitedFor(...endsAt: number[]): Promise<number> {
  let ms = 0;
  const clock = {
    now: () => ms,
    elapsed: () => ms,
    sleep: async (durationMs: number) => {
      ms += durationMs;
    },
  };
  const jobs = endsAt.map((at, id) => ({ id, isOver: () => ms >= at * 1000 }));
  await settle({
    ciServer: { jobs: () => jobs.map(({ id, isOver }) => ({ id, isOver: isOver() }) as never) },
    stream: { jobs: jobs.map(({ id }) => ({ ciJobId: id }) as never) },
    paces: { longJobMs: 5000, graceMs: 15_000 },
    clock,
    signal: new AbortController().signal,
  });
  return ms / 1000;
}

test('a backlog is waited for as long as one job after the other ends', async () => {
  expect(await waitedFor(10, 25, 40, 59)).toBe(59);
});

test('a job that never ends is waited for once', async () => {
  expect(await waitedFor(3, Number.POSITIVE_INFINITY)).toBe(23);
});

test('where no job is open nothing is waited for', async () => {
  expect(await waitedFor(0, 0)).toBe(0);
});
