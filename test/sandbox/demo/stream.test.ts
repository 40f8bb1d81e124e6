import { expect, test } from '@jest/globals';
import type { CiServer } from '../../../sandbox/demo/run/ci-server.ts';
import { choosePaces } from '../../../sandbox/demo/run/paces.ts';
import { createStream, describeJobs } from '../../../sandbox/demo/run/stream.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

test('a job that its runner has failed is handed in again, with the same marks, and stays one job', () => {
  const handed: { name: string; script: string[] }[] = [];
  const ciServer = { submit: (job: { name: string; script: string[] }) => handed.push(job) };
  const stream = createStream({
    ciServer: ciServer as unknown as CiServer,
    paces: choosePaces({ speed: 1, factor: 1 }),
    clock: createVirtualClock(),
    folder: '/marks',
    tag: 'linux',
  });
  stream.hold();
  stream.again(1);
  stream.again(7);
  expect(handed).toHaveLength(2);
  expect(handed[1]).toEqual(handed[0]);
  expect(stream.jobs).toMatchObject([{ number: 1, ciJobId: 2, tries: 2 }]);
});

test('progress counts a job once, however often it was handed in, and none of the control run', () => {
  const of = (number: number, ciJobId: number, stream: 'control' | 'deployments' | 'outage') =>
    ({ number, ciJobId, stream, kind: 'short', submittedAt: 0 }) as const;
  const jobs = [of(1, 1, 'control'), of(2, 4, 'deployments'), of(3, 3, 'outage')];
  const inForge = [1, 2, 3, 4].map((id) => ({ id, isOver: id < 4 }));
  const ciServer = { jobs: () => inForge } as unknown as CiServer;
  expect(describeJobs(ciServer, { jobs })).toBe('2 submitted, 1 ended');
});
