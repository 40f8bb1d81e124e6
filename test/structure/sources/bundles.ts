import { expect, test } from '@jest/globals';
import { bundleOf, bundles, programs, unusedBeginnings } from '../../../scripts/bundle/bundles.js';
import { readSources } from '../source.ts';

/** Modules that are imported on demand, as scripts/bundle/bundles.js names them. */
const needed = new Map<string, string>();
for (const source of readSources().filter(({ path }) => /^(?:src|sandbox)\//.test(path)))
  for (const { specifier, path, kind } of source.imports)
    if (kind === 'lazy' && !specifier.startsWith('node:'))
      needed.set(path?.replace(/\.ts$/, '') ?? specifier, source.path);

const own: readonly string[] = Object.values(programs);

test('each lazily imported file has its file in dist/', () => {
  const homeless = [...needed.keys()].filter((module) => {
    try {
      return bundleOf(module) === undefined;
    } catch {
      return !own.includes(module);
    }
  });
  expect(homeless).toEqual([]);
  expect(needed.size).toBeGreaterThan(20);
});

test('each file in dist/ is imported lazily', () => {
  for (const module of needed.keys()) if (!own.includes(module)) bundleOf(module);
  // The build itself reports unused packages, because a package imports parts of itself.
  expect(unusedBeginnings().filter((beginning) => beginning.startsWith('src/'))).toEqual([]);
});

test('the sandbox is imported only in its own programs', () => {
  const paths = [...needed.keys()].filter((module) => module.startsWith('sandbox/'));
  expect(paths.sort()).toEqual([...own].sort());
});

test('the longest prefix decides', () => {
  expect(bundleOf('src/app/session-opening')).toBe('stages');
  expect(bundleOf('src/app/compose/compose-aws')).toBe('aws');
  expect(bundleOf('@aws-sdk/client-ec2')).toBe('aws-ec2');
  expect(() => bundleOf('src/nowhere')).toThrow(
    'src/nowhere is imported when it is needed, and scripts/bundle/bundles.js has no file for it',
  );
});

test('dist/ contains about twenty files', () => {
  // The number includes the entry and the shared files.
  expect(Object.keys({ ...bundles, ...programs }).length + 2).toBeLessThanOrEqual(22);
});
