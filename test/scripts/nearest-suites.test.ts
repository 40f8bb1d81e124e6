import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nearestSuites } from '../../scripts/mutants/nearest-suites.js';

const imports: Readonly<Record<string, readonly string[]>> = {
  'src/drain/drain-watch.ts': [],
  'src/steps/stop.ts': ['src/drain/drain-watch.ts'],
  'test/drain/drain-watch.test.ts': ['src/drain/drain-watch.ts'],
  'test/drain/outage.test.ts': ['src/steps/stop.ts'],
  'test/steps/stop.test.ts': ['src/steps/stop.ts'],
  'test/steps/first.test.ts': ['src/drain/drain-watch.ts'],
  'test/docs/links.test.ts': [],
};
let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'nearest-suites-'));
  for (const [file, imported] of Object.entries(imports)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    const up = '../'.repeat(file.split('/').length - 1);
    const lines = imported.map((one) => `import { one } from '${up}${one}';\n`);
    writeFileSync(join(root, file), lines.join(''));
  }
});

afterAll(() => rmSync(root, { recursive: true }));

function findNearest(count: number): string[] {
  return nearestSuites({
    sources: [join(root, 'src/drain/drain-watch.ts')],
    count,
    isSuite: (file) => file.endsWith('.test.ts'),
    folders: [join(root, 'src'), join(root, 'test')],
  }).map((one) => one.slice(root.length + 1));
}

test('the suite of the source comes first, then suites of its subject, then suites with few imports', () => {
  expect(findNearest(3)).toEqual([
    'test/drain/drain-watch.test.ts',
    'test/drain/outage.test.ts',
    'test/steps/first.test.ts',
  ]);
});

test('a suite that does not import the source is not chosen', () => {
  expect(findNearest(10)).toHaveLength(4);
  expect(findNearest(10)).not.toContain('test/docs/links.test.ts');
});
