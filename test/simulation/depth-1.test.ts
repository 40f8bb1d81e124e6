import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { rarer } from '../support/sample.ts';

/** In a process of its own, with both processors, because that is several times as fast as in here. */
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

/** A second fault needs the worlds that the first has left: they are explored once, for both. */
const pairs = ['--depth', '2', '--one-in', String(rarer(80))];

test('every fault at every call, from every phase, and a second one from a sample, and the stack comes to its rest', async () => {
  const { exitCode, output } = await simulate(...pairs, '--brief', '--sequences', '100');
  process.stdout.write(output.replace(/^… .*\n/gm, ''));
  expect(output.match(/^violations: (?!0$).*(?:\n {2}.*)*/gm) ?? []).toEqual([]);
  expect(exitCode).toBe(0);
}, 1_500_000);
