import { describe, expect, test } from '@jest/globals';
import { usualBehaviour } from '../../../sandbox/hosts/behaviour.ts';
import { intervalAfter } from '../../../sandbox/manager/jobs/reporting.ts';

const answer = (seconds?: string) => ({
  headers: new Headers(seconds === undefined ? {} : { 'x-gitlab-trace-update-interval': seconds }),
});

describe('the delay until the next piece of a log', () => {
  test.each([
    ['after a minute for a log without readers', '60', 60_000],
    ['after three seconds for a log with readers', '3', 3000],
    ['unchanged if GitLab names none', undefined, 3000],
    ['unchanged if GitLab names zero', '0', 3000],
  ])('depends on the response: %s', (_, seconds, nextMs) => {
    const longestMs = usualBehaviour.traceIntervalMs;
    expect(intervalAfter(answer(seconds), { usedMs: 3000, longestMs })).toBe(nextMs);
  });

  test('never exceeds the shortened delay of a sandbox', () => {
    expect(intervalAfter(answer('60'), { usedMs: 200, longestMs: 200 })).toBe(200);
  });
});
