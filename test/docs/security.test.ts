import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';
import { root } from '../support/program.ts';

const text = read('SECURITY.md');
const how = text.slice(text.indexOf('## Promises'), text.indexOf('## Out of scope'));
const rows = [...how.matchAll(/^\| (\*\*.*) \| (.*) \|$/gm)].map(
  ([, promise = '', tests = '']) => [promise, tests] as const,
);

describe('SECURITY.md', () => {
  test('contains promises', () => {
    expect(rows.length).toBeGreaterThanOrEqual(15);
  });

  test.each(rows)('names the tests of the promise: %s', (_, tests) => {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
