import { expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { activate } from '../../src/operator/takeover.ts';
import { addShard, pink } from '../fakes/builders.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { drive } from '../stages/drive.ts';
import { type } from './physician.ts';
import { rested } from './worlds/state-worlds.ts';

test('activate takes a runner that somebody registered by hand under a name of their own', async () => {
  const world = await rested((one) => {
    const { registration } = addShard(one, { shard: pink, tags: ['by-hand'], note: 'by hand' });
    registration.description = 'my runner';
  });
  const registration = Object.values(world.registrations).find(
    ({ description }) => description === 'my runner',
  )?.id as RegistrationId;
  const ending = await drive(createSimulation({ world }), 'activate pink', {
    deploymentId: 'terminal-4',
    ci: 'terminal',
    act: (context) => activate(context, { shard: pink, registration }),
  });
  expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
    kind: 'done',
    phase: 'done',
  });
  expect(world.registrations[registration]).toMatchObject({ tags: ['linux'], paused: false });
  // The checker knows the stack's own names only: what it calls foreign is the runner that was named.
  const foreign = 'S15: my runner is not of stack linux, by registry.route';
  expect(world.violations.filter((text) => !text.startsWith(foreign))).toEqual([]);
});
