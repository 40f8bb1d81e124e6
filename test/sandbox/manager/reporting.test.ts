import { describe, expect, test } from '@jest/globals';
import { usualBehaviour } from '../../../sandbox/hosts/behaviour.ts';
import { intervalAfter } from '../../../sandbox/manager/jobs/reporting.ts';

const answer = (seconds?: string) => ({
  headers: new Headers(seconds === undefined ? {} : { 'x-gitlab-trace-update-interval': seconds }),
});

describe('how soon a runner sends the next piece of a log', () => {
  test.each([
    ['of a log that nobody reads: after a minute', '60', 60_000],
    ['of a log that somebody reads: after three seconds', '3', 3000],
    ['that GitLab says nothing of: as before', undefined, 3000],
    ['that GitLab asks for at once: as before', '0', 3000],
  ])('%s', (_, seconds, nextMs) => {
    const longestMs = usualBehaviour.traceIntervalMs;
    expect(intervalAfter(answer(seconds), { usedMs: 3000, longestMs })).toBe(nextMs);
  });

  test('of a sandbox that shortens it: no later than it says', () => {
    expect(intervalAfter(answer('60'), { usedMs: 200, longestMs: 200 })).toBe(200);
  });
});
