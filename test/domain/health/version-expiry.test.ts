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
const from = 'GitHub gives actions-runner 2.336.0 no jobs from';

test.each<[string, VersionExpiry, object]>([
  ['a version without an expiry is fine', { kind: 'none' }, { kind: 'fine' }],
  ['an unknown expiry is fine', { kind: 'unknown', detail: '404' }, { kind: 'fine' }],
  ['an unreadable date is fine', { kind: 'ends', at: 'soon' }, { kind: 'fine' }],
  ['an expiry in more than three weeks is fine', day(22), { kind: 'fine' }],
  [
    'an expiry within three weeks is reported',
    day(20),
    { kind: 'soon', text: `${from} 2026-11-22 on (in 20d)` },
  ],
  [
    'an expiry within a week is too soon for a build',
    day(7),
    { kind: 'too_soon', text: `${from} 2026-11-09 on (in 7d)` },
  ],
  [
    'an expiry in the past is over',
    day(0),
    { kind: 'over', text: 'GitHub has given actions-runner 2.336.0 no jobs since 2026-11-02' },
  ],
])('%s', (_, ending, verdict) => {
  expect(judge(ending)).toEqual(verdict);
});
