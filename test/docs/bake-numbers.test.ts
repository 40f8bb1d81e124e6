import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const printed = execFileSync(process.execPath, ['scripts/bench/bake.js'], {
  cwd: root,
  encoding: 'utf8',
});
const [, tables = ''] = printed.split('for docs/use/bake.md');
const rows = tables.split('\n').filter((line) => line.startsWith('|'));
const page = readFileSync(join(root, 'docs/use/bake.md'), 'utf8').split('\n');

describe('the numbers that a bake is chosen by', () => {
  test('are those that the bench computes', () => {
    expect(rows).toHaveLength(13);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  test('are those that the judge was chosen for: 0.094 % of 1000 good jobs, 9 and 58 jobs', () => {
    expect(printed).toMatch(/│ ours +│ +0\.094 % │ +58 │ +9 │/);
    expect(rows.at(-3)).toBe('| 0.00017, the default | 0.094 % | 226 | 58 | 9 |');
  });
});
