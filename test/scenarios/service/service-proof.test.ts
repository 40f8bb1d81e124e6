import { expect, test } from '@jest/globals';
import { linux, pink, purple } from '../../fakes/builders.ts';
import { bootHost, createHost, killProcess, terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import {
  askedByCanaryAlone,
  end,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  stackOf,
} from './promoted.ts';

test('the canary’s tag that could not be taken back at a proof is taken back at the end', async () => {
  let [isClosed, isDestroyed] = [false, false];
  const { scene, world } = await openPromoted(askedByCanaryAlone, ({ port, method, args }) => {
    isClosed ||= method === 'setIntake' && args[1] === 'closed';
    isDestroyed ||= port === 'infrastructure' && method === 'destroy';
    const autoRollback = method === 'route' && !JSON.stringify(args).includes('canary-');
    return autoRollback && isClosed && !isDestroyed
      ? { kind: 'error_before', failure: 'unavailable' }
      : undefined;
  });
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(registrationsOf(world, stackOf(world), purple)).toMatchObject([{ tags: ['linux'] }]);
  expect(ending.log).toContain("Took the canary's canary-1-200-linux from runner 48214.");
});

test('at the end production tags that a person took off do not come back, and the canary’s stays with a warning', async () => {
  let isTold = false;
  const { scene, world } = await openPromoted(undefined, ({ port, method }) => {
    if (isTold || port !== 'infrastructure' || method !== 'destroy') return undefined;
    isTold = true;
    for (const one of registrationsOf(world, stackOf(world), purple))
      one.tags = ['canary-1-200-linux'];
    absorb(world);
    return undefined;
  });
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(registrationsOf(world, stackOf(world), purple)).toMatchObject([
    { tags: ['canary-1-200-linux'] },
  ]);
  expect(ending.log).toContain(
    "! Runner 48214 of purple takes no customer's job: somebody has taken every tag from it but the canary's canary-1-200-linux, which is left, as the last one cannot be taken. Give it those that it is to have.",
  );
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
  expect(said.join('\n')).toMatch(/^Saw that pink serves: .* Purple does not: no machine of/m);
  expect(world.violations).toEqual([]);
});

const canariesOf = ({ jobs }: World) =>
  Object.values(jobs).filter(({ kind }) => kind === 'canary').length;

test.each(['drained', 'destroying'] as const)(
  'where no host may be asked, a machine that ends as the old shard is %s takes its proof along',
  async (phase) => {
    let hasEnded = false;
    let asked = 0;
    const { scene, world } = await openPromoted(askedByCanaryAlone, ({ port, args }) => {
      const isWritten =
        port === 'parameters' && JSON.stringify(args).includes(`phase\\":\\"${phase}\\"`);
      if (hasEnded || !isWritten) return undefined;
      hasEnded = true;
      asked = canariesOf(world);
      end(world, purple);
      return undefined;
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'error' });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(hostsOf(world, stackOf(world), pink)).toHaveLength(1);
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      expect.stringContaining(
        'its tags; EC2 says of its machines: i-0abc0000000000002 is terminated',
      ),
      'Missing is a machine of it that EC2 does not call terminated.',
    ]);
    // None could take it.
    expect(canariesOf(world)).toBe(asked);
    expect(world.violations).toEqual([]);
  },
);

test('where no host may be asked, a canary that the new runner itself fails proves nothing', async () => {
  const { scene, world } = await openPromoted(askedByCanaryAlone);
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'fails_jobs';
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
  expect(ending.log.join('\n')).toMatch(
    /; canary job \d+ failed by the runner's own fault \(runner_system_failure\)/,
  );
  expect(irreversibleCalls(scene)).toEqual([]);
  expect(isOpen(world, pink)).toBe(true);
});

test('where no host may be asked, a machine that ends in the middle of a drain is missed ten minutes later', async () => {
  const { scene, world } = await openPromoted(askedByCanaryAlone);
  scene.simulation.at(40 * minute, (then) => end(then, purple));
  const openedAt = world.now;
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
  expect(isOpen(world, pink)).toBe(true);
  expect((world.now - openedAt) / minute).toBeLessThan(53);
  expect(world.violations).toEqual([]);
});

test('where no host may be asked, a machine of before that EC2 still lists says nothing of the new one', async () => {
  const { scene, world } = await openPromoted(askedByCanaryAlone);
  const before = createHost(world, { runnerName: stackOf(world).runnerName, shard: purple });
  terminateHost(world, before, 'world');
  absorb(world);
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  const judged = ending.events.flatMap((one) =>
    one.kind === 'service' && one.shard === purple ? [one.service.kind] : [],
  );
  expect(judged.filter((kind) => kind === 'proven').length).toBeGreaterThan(200);
  expect(ending.log.join('\n')).not.toContain('terminated');
});

test('where no host may be asked and EC2 does not answer, a canary of this minute proves the new shard', async () => {
  const { scene, world } = await openPromoted(askedByCanaryAlone, ({ port, method }) =>
    port === 'instances' && method === 'list'
      ? { kind: 'error_before', failure: 'unavailable' }
      : undefined,
  );
  expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.violations).toEqual([]);
});

test('a machine that Systems Manager does not list is not ended with the processes of those that it lists', async () => {
  const { scene, world } = await openPromoted();
  const [listed] = hostsOf(world, stackOf(world), purple);
  const unlisted = createHost(world, { runnerName: linux, shard: purple });
  bootHost(world, unlisted);
  unlisted.unregistered = true;
  if (listed !== undefined) killProcess(world, listed);
  absorb(world);
  const ending = await scene.type('finalize');
  expect(ending.log.join('\n')).not.toContain('every runner process of purple has ended');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.violations).toEqual([]);
});
