import { expect, test } from '@jest/globals';
import type { Forge } from '../../../sandbox/demo/play/forge.ts';
import { choosePaces } from '../../../sandbox/demo/play/paces.ts';
import { createStream, describeJobs } from '../../../sandbox/demo/play/stream.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

test('a job that its runner has failed is handed in again, with the same marks, and stays one job', () => {
  const handed: { name: string; script: string[] }[] = [];
  const forge = { submit: (job: { name: string; script: string[] }) => handed.push(job) };
  const stream = createStream({
    forge: forge as unknown as Forge,
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
  expect(stream.jobs).toMatchObject([{ number: 1, forgeId: 2, tries: 2 }]);
});

test('progress counts a job once, however often it was handed in, and none of the control run', () => {
  const of = (number: number, forgeId: number, stream: 'control' | 'deployments' | 'outage') =>
    ({ number, forgeId, stream, kind: 'short', submittedAt: 0 }) as const;
  const jobs = [of(1, 1, 'control'), of(2, 4, 'deployments'), of(3, 3, 'outage')];
  const inForge = [1, 2, 3, 4].map((id) => ({ id, isOver: id < 4 }));
  const forge = { jobs: () => inForge } as unknown as Forge;
  expect(describeJobs(forge, { jobs })).toBe('2 submitted, 1 ended');
});
