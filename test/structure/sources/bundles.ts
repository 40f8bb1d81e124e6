import { expect, test } from '@jest/globals';
import { bundleOf, bundles, programs, unusedBeginnings } from '../../../scripts/bundle/bundles.js';
import { readSources } from '../source.ts';

/** What is imported when it is needed, as scripts/bundle/bundles.js names it. */
const needed = new Map<string, string>();
for (const source of readSources().filter(({ path }) => /^(?:src|sandbox)\//.test(path)))
  for (const { specifier, path, kind } of source.imports)
    if (kind === 'lazy' && !specifier.startsWith('node:'))
      needed.set(path?.replace(/\.ts$/, '') ?? specifier, source.path);

const own: readonly string[] = Object.values(programs);

test('whatever is imported when it is needed has its file in dist/', () => {
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

test('whatever has its file in dist/ is imported when it is needed', () => {
  for (const module of needed.keys()) if (!own.includes(module)) bundleOf(module);
  // Of the packages the build says so: they import parts of their own.
  expect(unusedBeginnings().filter((beginning) => beginning.startsWith('src/'))).toEqual([]);
});

test('the sandbox is imported as the programs of its own, and by no other path', () => {
  const paths = [...needed.keys()].filter((module) => module.startsWith('sandbox/'));
  expect(paths.sort()).toEqual([...own].sort());
});

test('the longest beginning decides', () => {
  expect(bundleOf('src/app/session-opening')).toBe('stages');
  expect(bundleOf('src/app/compose/compose-aws')).toBe('aws');
  expect(bundleOf('@aws-sdk/client-ec2')).toBe('aws-ec2');
  expect(() => bundleOf('src/nowhere')).toThrow(
    'src/nowhere is imported when it is needed, and scripts/bundle/bundles.js has no file for it',
  );
});

test('the files of dist/ are about twenty', () => {
  // With the entry and what several of them share.
  expect(Object.keys({ ...bundles, ...programs }).length + 2).toBeLessThanOrEqual(22);
});
