import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createLiveLine } from '../../src/adapters/system/live-line.ts';

beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
});
afterAll(() => {
  jest.useRealTimers();
});

/** Returns the text that is drawn at once, and after a while. */
async function drawn(text: string, ms: number): Promise<readonly [string, string]> {
  const time = { ms: 0 };
  let written = '';
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk);
        done();
      },
    }),
    { isTTY: true, columns: 100, rows: 30 },
  );
  const clock = { now: () => time.ms, elapsed: () => time.ms, sleep: async () => {} };
  const live = createLiveLine({ stream, clock });
  live.show(text, 0);
  while (written === '') await new Promise((resolve) => setImmediate(resolve));
  const first = written;
  written = '';
  time.ms = ms;
  jest.advanceTimersByTime(1000);
  const second = written;
  live.clear();
  return [first, second];
}

test('a wait without a time gets its duration', async () => {
  const [first, second] = await drawn('Waiting: the process ends.', 65_000);
  expect(first).toContain('Waiting: the process ends. (0s)');
  expect(second).toContain('Waiting: the process ends. (1m 5s)');
});

test('a wait with a time continues from it, and gets no other', async () => {
  const [first, second] = await drawn('Waiting: canary job 1 waits (9s of 3m).', 4000);
  expect(first).toContain('Waiting: canary job 1 waits (9s of 3m).');
  expect(second).toContain('Waiting: canary job 1 waits (13s of 3m).');
  expect(first + second).not.toMatch(/\(\d+m?s\)/);
});

test('a drain with a time and an estimate gets no other time', async () => {
  const text = 'Waiting for pink to drain: job 1 "build" is running (21s; remaining time unknown).';
  const [first, second] = await drawn(text, 4000);
  expect(first).toContain('is running (21s; remaining time');
  expect(second).toContain('is running (25s; remaining time');
  expect(first + second).not.toMatch(/\(\d+m?s\)/);
});

test('a wait that is longer than the terminal breaks no word', async () => {
  const words = Array.from({ length: 20 }, (_, index) => `canary-job-number-${index}`);
  const [first] = await drawn(`Waiting: ${words.join(' ')}.`, 4000);
  for (const word of words) expect(first).toContain(word);
});
