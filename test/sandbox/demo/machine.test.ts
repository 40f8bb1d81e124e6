import { expect, test } from '@jest/globals';
import { chooseFactor, measureFactor, watchMachine } from '../../../sandbox/demo/run/machine.ts';
import type { DemoedProgram } from '../../../sandbox/demo/screen.ts';

test.each([
  ['a usual computer', 150, 1],
  ['a faster computer, which does not make the demo faster', 40, 1],
  ['a computer of a third of the speed', 450, 3],
  ['a computer that hardly responds', 60_000, 10],
])('the slowness factor of %s', (_, tookMs, factor) => {
  expect(chooseFactor(tookMs)).toBe(factor);
});

/**
 * Returns a program with the given start durations. The last one repeats. The given timers come
 * late, and no others follow.
 */
function startingWithin(
  tookMs: readonly number[],
  ...timers: number[]
): { program: DemoedProgram; rounds: number[] } {
  const rounds: number[] = [];
  let elapsed = 0;
  let now = 1000;
  let isBefore = true;
  const program = {
    command: ['true'],
    environment: { PATH: process.env['PATH'] ?? '' },
    signal: new AbortController().signal,
    clock: {
      elapsed() {
        if (!isBefore) {
          elapsed += tookMs[rounds.length] ?? tookMs.at(-1) ?? 0;
          rounds.push(elapsed);
        }
        isBefore = !isBefore;
        return elapsed;
      },
      now: () => now,
      sleep(ms: number, signal: AbortSignal) {
        const lateMs = ms === 100 ? timers.shift() : 0;
        return new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          if (lateMs === undefined) return;
          if (ms === 100) now += ms + lateMs;
          setImmediate(resolve);
        });
      },
    },
  };
  return { program: program as unknown as DemoedProgram, rounds };
}

test('one start that another program delayed does not make the computer slow', async () => {
  const { program } = startingWithin([140, 900, 150]);
  expect(await measureFactor(program, '.')).toBe(1);
});

test('a late timer counts as a time in which the computer stood still', async () => {
  const { program } = startingWithin([150], 0, 199, 2000, 30);
  const watch = watchMachine(program, '.');
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const from = 1000 + 100 + 299 + 100;
  expect((await watch.stop()).stalls).toEqual([{ from, to: from + 2000 }]);
});
