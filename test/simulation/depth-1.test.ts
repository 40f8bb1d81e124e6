import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { isSample, shareOf } from '../support/sample.ts';

/**
 * Runs the simulation as a separate process on both processors, which is several times as fast as
 * inside jest.
 */
async function simulate(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const child = spawn(process.execPath, ['scripts/simulate.js', ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, output };
}

/**
 * Second faults need the worlds that first faults leave, so one exploration covers both. A sample
 * takes some of the beginnings. With fewer second faults, some call sites would never be reached.
 */
const pairs = ['--depth', '2', '--one-in', '80'];

test('every fault at every call, from every phase or from a sample of them, and sampled second faults, bring the stack to rest', async () => {
  const sample = isSample ? ['--sample'] : [];
  const sequences = ['--sequences', String(shareOf(100))];
  const { exitCode, output } = await simulate(...pairs, ...sample, '--brief', ...sequences);
  process.stdout.write(output.replace(/^… .*\n/gm, ''));
  expect(output.match(/^violations: (?!0$).*(?:\n {2}.*)*/gm) ?? []).toEqual([]);
  expect(exitCode).toBe(0);
}, 1_500_000);
