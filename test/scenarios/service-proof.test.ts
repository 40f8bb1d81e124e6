import { expect, test } from '@jest/globals';
import { pink, purple } from '../fakes/builders.ts';
import { registrationsOf } from '../fakes/serving.ts';
import { askedByCanaryAlone, end, openPromoted, stackOf } from './promoted.ts';

test('the canary’s tag that could not be taken back at a proof is taken back at the end', async () => {
  let [isClosed, isDestroyed] = [false, false];
  const { scene, world } = await openPromoted(askedByCanaryAlone, ({ port, method, args }) => {
    isClosed ||= method === 'setIntake' && args[1] === 'closed';
    isDestroyed ||= port === 'infrastructure' && method === 'destroy';
    const takesBack = method === 'route' && !JSON.stringify(args).includes('canary-');
    return takesBack && isClosed && !isDestroyed
      ? { kind: 'error_before', failure: 'unavailable' }
      : undefined;
  });
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(registrationsOf(world, stackOf(world), purple)).toMatchObject([{ tags: ['linux'] }]);
  expect(ending.log).toContain("Took the canary's canary-1-200-linux from runner 48214.");
});

test('no rollback is offered to a shard that has no process to go back to', async () => {
  const { scene, world } = await openPromoted();
  end(world, pink);
  end(world, purple);
  const ending = await scene.type('shutdown');
  expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
    'Look at both shards, and once purple serves go on: hosted-runner shutdown --runner linux',
    'Take pink away although no shard serves: hosted-runner recover --runner linux --although-nothing-serves --yes',
  ]);
});
