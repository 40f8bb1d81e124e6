import { expect, test } from '@jest/globals';
import type { World } from '../../fakes/world/world.ts';
import { type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

test('what nothing is called is not replaced, and the host stays', async () => {
  const world = await failed(1, 'fails_jobs', 'terraform');
  const before = structuredClone(hosts(world));
  const line =
    'hosted-runner recover --method replace --address aws_instance.manager --runner linux';
  expect(await type(world, line)).toMatchObject({
    kind: 'error',
    error: { code: 'PlanRefused', exitCode: 3 },
  });
  expect(hosts(world)).toEqual(before);
});

/** That an idle manager asks for jobs again is nobody's doing. */
function hosts(world: World) {
  return Object.values(world.hosts).map((host) => ({ ...host, polls: undefined }));
}
