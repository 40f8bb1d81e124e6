import { expect, test } from '@jest/globals';
import { failed } from './failed-candidate.ts';
import { type } from './physician.ts';

test('what nothing is called is not replaced, and the host stays', async () => {
  const world = await failed(1, 'fails_jobs', 'terraform');
  const before = structuredClone(world.hosts);
  const line =
    'hosted-runner recover --method replace --address aws_instance.manager --runner linux';
  expect(await type(world, line)).toMatchObject({
    kind: 'error',
    error: { code: 'PlanRefused', exitCode: 3 },
  });
  expect(world.hosts).toEqual(before);
});
