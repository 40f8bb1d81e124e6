import { expect, test } from '@jest/globals';
import { describeJob, describeJobs, describeLost } from '../../../src/domain/drain/job-text.ts';
import type { RegistryJob } from '../../../src/domain/registration.ts';

const known: RegistryJob = {
  id: '7',
  name: 'build',
  status: 'running',
  project: 'acme/app',
  url: 'https://ci.example/7',
  startedAt: '2026-01-01T00:00:00Z',
};
const { startedAt: _, ...unseen } = known;
/** Of a runner that GitHub calls busy, and says no more. */
const busy: RegistryJob = { ...unseen, url: '' };
const now = Date.parse('2026-01-01T00:01:00Z');

test('a job is told with its address, and without one where there is none', () => {
  expect(describeJob(known, now)).toBe(
    'job 7 "build" of acme/app, running for 1m: https://ci.example/7',
  );
  expect(describeJob(busy, now)).toBe(
    'job 7 "build" of acme/app, running, since when is not known',
  );
  expect(describeJob({ ...busy, status: 'assigned' }, now)).toBe(
    'job 7 "build" of acme/app, assigned not started',
  );
});

test('so is one whose host is gone', () => {
  const lost = (job: RegistryJob) => describeLost(job, 'GitHub').split('; ')[1];
  expect(lost(known)).toBe('its host is gone (https://ci.example/7).');
  expect(lost(busy)).toBe('its host is gone.');
});

test.each([
  [10, undefined],
  [11, '1 more job'],
  [21, '11 more jobs'],
])('ten of %d jobs are named and the others are counted', (count, rest) => {
  const job = { name: 'build', project: 'acme/app', status: 'running', url: '' } as const;
  const jobs = Array.from({ length: count }, (_, at) => ({ ...job, id: `${at + 1}` }));
  const told = describeJobs(jobs, 0);
  expect(told[9]).toContain('job 10 "build"');
  expect(told[10]).toBe(rest);
});
