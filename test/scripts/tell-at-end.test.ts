import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import TellAtEnd, {
  folderVariable,
  greatestOf,
  slowestOf,
} from '../../scripts/jest/tell-at-end.js';
import { root } from '../support/program.ts';

let reporter: TellAtEnd;
const usual = process.env[folderVariable];
beforeEach(() => {
  reporter = new TellAtEnd();
});
afterEach(() => {
  jest.restoreAllMocks();
  if (usual === undefined) delete process.env[folderVariable];
  else process.env[folderVariable] = usual;
});

function leave(name: string, ms: number, line: string): void {
  writeFileSync(join(reporter.folder, name), JSON.stringify({ what: 'Longest', ms, line }));
}

test('of what several suites have measured the greatest is told, and of how many', () => {
  leave('a.json', 900, 'a refusal');
  leave('b.json', 1300, 'a slower one');
  leave('c.json', 20, 'a fast one');
  expect(greatestOf(reporter.folder)).toEqual(['  Longest, of 3 suites: a slower one']);
});

test('the end of a run tells it, and nothing is left behind', () => {
  leave('a.json', 900, 'a refusal');
  const said: unknown[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  reporter.onRunComplete();
  expect(said).toEqual(['\n  Longest, of 1 suite: a refusal\n']);
  expect(existsSync(reporter.folder)).toBe(false);
});

test('suites know the folder, which is empty at first', () => {
  expect(process.env[folderVariable]).toBe(reporter.folder);
  expect(readdirSync(reporter.folder)).toEqual([]);
  reporter.onRunComplete();
});

test('lists the ten slowest suites of a run of more than ten, the slowest first', () => {
  const times = Array.from({ length: 11 }, (_, n) => ({
    path: join(root, `test/${n}.test.ts`),
    ms: 1000 * n,
  }));
  const [heading, ...lines] = slowestOf(times);
  expect(heading).toBe('The 10 slowest of 11 suites:');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    10,
    '   10.0 s  test/10.test.ts',
    '    1.0 s  test/1.test.ts',
  ]);
  expect(slowestOf(times.slice(1))).toEqual([]);
});
