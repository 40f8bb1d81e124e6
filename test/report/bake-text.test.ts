import { expect, test } from '@jest/globals';
import { renderSummary } from '../../src/adapters/ci/github/github-summary.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { reportBake } from './running.ts';

test.each([
  [{ finished: 12, wanted: 20 }, 'Pink is baking after 12 of 20 jobs: 10m of 30m remain.'],
  [{ wanted: 0 }, 'Pink is baking: 10m of 30m remain.'],
  [{ wanted: 20 }, 'Pink is baking, none of 20 jobs is known: 10m of 30m remain.'],
])('timeline and summary show how many jobs of a bake have ended: %j', (count, expected) => {
  const report = reportBake(count);
  for (const text of [renderTimeline(report), renderSummary(report)]) {
    expect(text).toContain(expected);
    expect(text).not.toContain('an earlier look');
  }
});
