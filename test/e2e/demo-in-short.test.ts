import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { choosePaces, shortenedWindows } from '../../sandbox/demo/run/paces.ts';
import { blockOf } from '../docs/shown-blocks.ts';
import { bundledProgram, type Ended, runProgram } from '../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'demo-in-short-'));
let ended: Ended;
let intro: string[];
let scenarios: { title: string; lines: string[] }[];

beforeAll(async () => {
  ended = await runProgram({
    args: ['demo'],
    program: bundledProgram,
    cwd: folder,
    env: { TMPDIR: folder },
    timeoutMs: 800_000,
  });
  const [first = '', ...others] = ended.stdout.split(/\n\n/);
  intro = first.trim().split('\n');
  scenarios = others.map((text) => {
    const [title = '', ...lines] = text.trimEnd().split('\n');
    return { title, lines };
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('plays a first deployment, a replacement under jobs, and an unhealthy candidate’s recovery', () => {
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(scenarios.map(({ title }) => title)).toEqual([
    '1. First deployment',
    '2. Control: no deployment',
    '3. Second deployment',
    '4. Candidate never healthy',
    '5. Recovery',
    'Summary',
  ]);
});

test('prints about a dozen lines for each scenario, and its result as the last one', () => {
  for (const { title, lines } of scenarios.slice(0, -1)) {
    expect([title, lines.length <= 14]).toEqual([title, true]);
    expect([title, lines.at(-1)]).toEqual([
      title,
      expect.stringMatching(
        /^ {2}✔ Result: (done|unhealthy|no deployment)\b.* jobs submitted meanwhile\)\.$/,
      ),
    ]);
  }
  expect(ended.stdout.split('\n').length).toBeLessThan(80);
});

test('prints every shortened period in one line, and the slowness of the computer if relevant', () => {
  const shortened = intro.filter((line) => line.includes('Shortened for the demo'));
  expect(shortened).toHaveLength(1);
  for (const { what, inProduction } of shortenedWindows(choosePaces({ speed: 1, factor: 1 })))
    expect(shortened[0]).toMatch(new RegExp(`${what} [\\d.]+s \\(${inProduction}\\)`));
  const [, factor] = /below is ([\d.]+) times as long/.exec(intro.join('\n')) ?? [];
  const [, poll] = /polls for jobs every ([\d.]+)s/.exec(shortened[0] ?? '') ?? [];
  // Both values are rounded to a tenth.
  expect(Math.abs(Number(poll) - 0.5 * Number(factor ?? 1))).toBeLessThan(0.1);
});

test('replaces a shard whose long job continues, and loses, interrupts and delays none', () => {
  const replacement = scenarios[2]?.lines.join('\n');
  // The text names the long job, or counts it beside a short one that has not ended.
  expect(replacement).toMatch(
    /Waiting for pink to drain: job \d+ "(?:long-\d+" is running|(?:long|short)-\d+" and \d+ more are running)/,
  );
  expect(replacement).toMatch(/Summary: [1-9]\d* jobs? finished while .*, 0 lost or interrupted/);
  const summary = scenarios.at(-1)?.lines.join('\n');
  expect(summary).toMatch(/Jobs +(\d+) submitted, \1 finished, 0 lost, 0 interrupted/);
  expect(summary).toMatch(/Longest wait .* \(control run, .* 0 jobs waited over /);
});

test('ends with the summary of README, with different numbers', () => {
  const lines =
    scenarios.at(-1)?.lines.filter((line) => !line.startsWith('  This computer was up to')) ?? [];
  const summary = `Summary\n${lines.join('\n')}\n`;
  const withoutNumbers = (text: string) => text.replaceAll(/\d+(?:\.\d+)?/g, '0');
  expect(withoutNumbers(summary)).toBe(withoutNumbers(blockOf('README.md', 'Try it 2')));
});
