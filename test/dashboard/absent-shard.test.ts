import { expect, test } from '@jest/globals';
import { isAbsent, type ShardReport } from '../../src/operator/shard-report.ts';

const refused = 'EC2 DescribeInstances: 403 UnauthorizedOperation';
const empty: ShardReport = {
  shard: 'purple',
  role: 'inactive',
  service: { verdict: 'closed', reason: 'it has no runner' },
  unhealthy_in_a_row: 0,
  registrations: [],
  hosts: [],
  endings: [],
  token_endings: [],
  jobs: [],
};

test.each<[name: string, isSo: boolean, parts: Partial<ShardReport>]>([
  ['has no runner, host and job', true, {}],
  ['has no runner, and host.access is none', true, { hosts: 'host.access is none' }],
  ['has no runner, and the read of its hosts failed', false, { hosts: refused }],
  ['has a host', false, { hosts: [{ id: 'i-0abc', agent: 'Online' }] }],
  ['has no host, and the read of its runners failed', false, { registrations: refused }],
  [
    'has a job',
    false,
    { jobs: [{ id: '1', name: 'job', status: 'running', url: 'https://gitlab.example.com/1' }] },
  ],
  ['accepts jobs', false, { service: { verdict: 'proven', reason: 'a runner takes jobs' } }],
])('a shard that %s: absent is %s', (_, isSo, parts) => {
  const texts = [parts.hosts, parts.registrations];
  const unanswered = texts.includes(refused) ? [refused] : [];
  expect(isAbsent({ ...empty, ...parts }, { unanswered })).toBe(isSo);
});

test('a shard is not absent if another source did not respond', () => {
  expect(isAbsent(empty, { unanswered: [refused] })).toBe(false);
});
