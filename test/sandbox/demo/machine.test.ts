import { expect, test } from '@jest/globals';
import { chooseFactor, measureFactor, watchMachine } from '../../../sandbox/demo/play/machine.ts';
import type { DemoedProgram } from '../../../sandbox/demo/screen.ts';

test.each([
  ['a usual computer', 150, 1],
  ['a faster one, which the demo is no faster for', 40, 1],
  ['a computer of a third of the speed', 450, 3],
  ['one that hardly moves', 60_000, 10],
])('the factor of %s', (_, tookMs, factor) => {
  expect(chooseFactor(tookMs)).toBe(factor);
});

/** A program whose starts take so long, one after the other, and the last one from then on. */
function startingWithin(tookMs: readonly number[]): { program: DemoedProgram; rounds: number[] } {
  const rounds: number[] = [];
  let elapsed = 0;
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
      sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
    },
  };
  return { program: program as unknown as DemoedProgram, rounds };
}

test('one start that another program held up does not make the computer slow', async () => {
  const { program } = startingWithin([140, 900, 150]);
  expect(await measureFactor(program, '.')).toBe(1);
});

test('what counts for lateness is when the computer was slowest', async () => {
  const { program, rounds } = startingWithin([150, 600, 150]);
  const watch = watchMachine(program, '.');
  while (rounds.length < 3) await new Promise((resolve) => setImmediate(resolve));
  expect(await watch.stop()).toBe(4);
});

test('a start that fails while the acts are played is no error of the demo', async () => {
  const { program } = startingWithin([150, 600]);
  const watch = watchMachine({ ...program, command: ['/nonexistent/program'] }, '.');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(await watch.stop()).toBe(1);
});
