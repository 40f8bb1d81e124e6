import { expect, test } from '@jest/globals';
import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import {
  judgeVersionExpiry,
  type VersionExpiry,
} from '../../../src/domain/health/version-expiry.ts';

const nowMs = Date.parse('2026-11-02T08:00:00Z');
const judge = (ending: VersionExpiry) =>
  judgeVersionExpiry({ version: '2.336.0', ending, nowMs, words: githubTerms });
const day = (days: number): VersionExpiry => ({
  kind: 'ends',
  at: new Date(nowMs + days * 86_400_000).toISOString(),
});
const from = 'GitHub gives actions-runner 2.336.0 no job any more from';

test.each<[string, VersionExpiry, object]>([
  ['a version without an end is fine', { kind: 'none' }, { kind: 'fine' }],
  ['silence is no end', { kind: 'unknown', detail: '404' }, { kind: 'fine' }],
  ['a day that cannot be read is no end', { kind: 'ends', at: 'soon' }, { kind: 'fine' }],
  ['an end in more than three weeks is fine', day(22), { kind: 'fine' }],
  [
    'an end within three weeks is told',
    day(20),
    { kind: 'soon', text: `${from} 2026-11-22 on, in 20d` },
  ],
  [
    'an end within a week is too soon to be built',
    day(7),
    { kind: 'too_soon', text: `${from} 2026-11-09 on, in 7d` },
  ],
  [
    'an end that has come is over',
    day(0),
    { kind: 'over', text: 'GitHub gives actions-runner 2.336.0 no job any more since 2026-11-02' },
  ],
])('%s', (_, ending, judgement) => {
  expect(judge(ending)).toEqual(judgement);
});
