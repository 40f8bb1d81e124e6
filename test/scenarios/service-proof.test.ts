import { expect, test } from '@jest/globals';
import { pink, purple } from '../fakes/builders.ts';
import { registrationsOf } from '../fakes/world/serving.ts';
import { askedByCanaryAlone, end, minute, openPromoted, stackOf } from './service/promoted.ts';

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

test('a rollback away from a dead shard says that the one it goes back to serves', async () => {
  const { scene, world } = await openPromoted();
  scene.simulation.at(10 * minute, (then) => end(then, purple));
  await scene.type('shutdown');
  const ending = await scene.type('rollback', { deploymentId: '1-300' });
  expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  const said = ending.log.filter((line) => /serve/i.test(line));
  expect(said.filter((line) => line.includes('NO SHARD'))).toEqual([]);
  expect(said.join('\n')).toMatch(
    /^Saw that pink serves: .* The active shard does not: no machine of/m,
  );
  expect(world.violations).toEqual([]);
});
