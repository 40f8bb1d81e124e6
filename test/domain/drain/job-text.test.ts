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
/** Job on a runner that GitHub reports as busy without details. */
const busy: RegistryJob = { ...unseen, url: '' };
const now = Date.parse('2026-01-01T00:01:00Z');

test('a job is described with its address if it has one', () => {
  expect(describeJob(known, now)).toBe(
    'job 7 "build" of acme/app, running for 1m: https://ci.example/7',
  );
  expect(describeJob(busy, now)).toBe('job 7 "build" of acme/app, running, start time unknown');
  expect(describeJob({ ...busy, status: 'assigned' }, now)).toBe(
    'job 7 "build" of acme/app, assigned not started',
  );
});

test('a lost job is described with its address if it has one', () => {
  const lost = (job: RegistryJob) => describeLost(job, 'GitHub').split(', but ')[1];
  expect(lost(known)).toBe('its host no longer exists (https://ci.example/7).');
  expect(lost(busy)).toBe('its host no longer exists.');
});

test.each([
  [10, undefined],
  [11, '1 more job'],
  [21, '11 more jobs'],
])('ten of %d jobs are named and the others are counted', (count, rest) => {
  const job = { name: 'build', project: 'acme/app', status: 'running', url: '' } as const;
  const jobs = Array.from({ length: count }, (_, at) => ({ ...job, id: `${at + 1}` }));
  const lines = describeJobs(jobs, 0);
  expect(lines[9]).toContain('job 10 "build"');
  expect(lines[10]).toBe(rest);
});
