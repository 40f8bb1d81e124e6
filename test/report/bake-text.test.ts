import { expect, test } from '@jest/globals';
import { renderSummary } from '../../src/adapters/ci/github/github-summary.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { tellBaked } from './running.ts';

test.each([
  [{ finished: 12, wanted: 20 }, 'Pink is watched after 12 of 20 jobs: 10m of 30m remain.'],
  [{ wanted: 0 }, 'Pink is watched: 10m of 30m remain.'],
  [{ wanted: 20 }, 'Pink is watched, of 20 jobs none is known: 10m of 30m remain.'],
])('timeline and summary say of a bake how many of its jobs have ended: %j', (count, said) => {
  const report = tellBaked(count);
  for (const text of [renderTimeline(report), renderSummary(report)]) {
    expect(text).toContain(said);
    expect(text).not.toContain('an earlier look');
  }
});
