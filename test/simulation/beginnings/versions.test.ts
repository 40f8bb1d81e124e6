import { expect, test } from '@jest/globals';
import { gitlabVersions } from '../../fakes/world/gitlab-version.ts';
import { canonicalText } from '../canonical/canonical.ts';
import { allBeginnings, openBeginning } from './beginnings.ts';
import { gitlabOf, gitlabOfSeed } from './versions.ts';

test('beginnings and seeds cover every GitLab version', () => {
  const oldestFirst = [...gitlabVersions].sort();
  expect([...new Set(allBeginnings().map(gitlabOf))].sort()).toEqual(oldestFirst);
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  expect([...new Set(seeds.map(gitlabOfSeed))].sort()).toEqual(oldestFirst);
});

test('worlds that differ in the version alone are different worlds', async () => {
  const beginning = { place: 'none', active: 'pink', record: 'fresh' } as const;
  const texts = await Promise.all(
    gitlabVersions.map(async (gitlab) => canonicalText(await openBeginning(beginning, { gitlab }))),
  );
  expect(new Set(texts).size).toBe(gitlabVersions.length);
});
