import { expect, test } from '@jest/globals';
import { joinEndings } from '../../../src/domain/health/job-history.ts';
import type { FinishedJob } from '../../../src/domain/registration.ts';

const jobs = (status: FinishedJob['status'], ...ids: number[]) =>
  ids.map((id): FinishedJob => ({ id: String(id), name: 'build', status, url: '' }));
const ids = (found: readonly FinishedJob[]) => found.map(({ id }) => Number(id));
const shown = ({ jobs: listed, older }: ReturnType<typeof joinEndings>) => ({
  jobs: ids(listed),
  older: ids(older.failed),
  others: older.others,
});

test('two whole lists are the whole history, newest first', () => {
  const success = { jobs: jobs('success', 9, 5, 1), unlisted: 0 };
  const failed = { jobs: jobs('failed', 7, 2), unlisted: 0 };
  const joined = joinEndings({ success, failed });
  expect(shown(joined)).toEqual({ jobs: [9, 7, 5, 2, 1], older: [], others: 0 });
});

test('failures older than the oldest listed success are kept apart, and the hidden successes are counted', () => {
  const success = { jobs: jobs('success', 9, 5), unlisted: 40 };
  const failed = { jobs: jobs('failed', 7, 3, 2), unlisted: 0 };
  const joined = joinEndings({ success, failed });
  expect(shown(joined)).toEqual({ jobs: [9, 7, 5], older: [3, 2], others: 40 });
});

test('successes older than the oldest listed failure are only counted', () => {
  const success = { jobs: jobs('success', 9, 5, 1), unlisted: 0 };
  const failed = { jobs: jobs('failed', 7, 6), unlisted: 3 };
  expect(shown(joinEndings({ success, failed }))).toEqual({
    jobs: [9, 7, 6],
    older: [],
    others: 5,
  });
});

test('a list without a count limits the history to the time that is listed completely', () => {
  const success = { jobs: jobs('success', 9, 5), unlisted: 'unknown' as const };
  const failed = { jobs: jobs('failed', 7, 3), unlisted: 0 };
  const joined = joinEndings({ success, failed });
  expect(shown(joined)).toEqual({ jobs: [9, 7, 5], older: [], others: 'unknown' });
});
