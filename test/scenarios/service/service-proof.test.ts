import { expect, test } from '@jest/globals';
import { linux, pink, purple } from '../../fakes/builders.ts';
import { bootHost, createHost, killProcess, terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import {
  end,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  removeHostAccess,
  stackOf,
} from './promoted.ts';

test('a canary tag that could not be removed after a proof is removed at the end', async () => {
  let [isClosed, isDestroyed] = [false, false];
  const { scene, world } = await openPromoted(removeHostAccess, ({ port, method, args }) => {
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

test('production tags that an operator removed do not return at the end, and the canary tag stays with a warning', async () => {
  let hasEdited = false;
  const { scene, world } = await openPromoted(undefined, ({ port, method }) => {
    if (hasEdited || port !== 'infrastructure' || method !== 'destroy') return undefined;
    hasEdited = true;
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
    "! Runner 48214 of purple takes no customer job: outside hosted-runner, every tag except the canary's canary-1-200-linux was removed. GitLab does not allow the removal of the last tag, so add the missing tags first.",
  );
});

test('no rollback is offered to a shard without a process', async () => {
  const { scene, world } = await openPromoted();
  end(world, pink);
  end(world, purple);
  const ending = await scene.type('shutdown');
  expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
    'Once purple accepts jobs, resume: hosted-runner shutdown --runner linux',
    'If pink cannot accept jobs either, remove it: hosted-runner recover --runner linux --although-nothing-serves --yes',
  ]);
});

test('a rollback from a dead shard logs that the target accepts jobs', async () => {
  const { scene, world } = await openPromoted();
  scene.simulation.at(10 * minute, (then) => end(then, purple));
  await scene.type('shutdown');
  const ending = await scene.type('rollback', { deploymentId: '1-300' });
  expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  const logged = ending.log.filter((line) => /accepts jobs|NO SHARD/.test(line));
  expect(logged.filter((line) => line.includes('NO SHARD'))).toEqual([]);
  expect(logged.join('\n')).toMatch(
    /^Verified: pink accepts jobs \(.*\)\. Purple is not verified: no machine of/m,
  );
  expect(world.violations).toEqual([]);
});

const canariesOf = ({ jobs }: World) =>
  Object.values(jobs).filter(({ kind }) => kind === 'canary').length;

test.each(['drained', 'destroying'] as const)(
  'a machine that ends while the old shard is %s voids its proof, without access to hosts',
  async (phase) => {
    let hasEnded = false;
    let canaryCount = 0;
    const { scene, world } = await openPromoted(removeHostAccess, ({ port, args }) => {
      const isWritten =
        port === 'parameters' && JSON.stringify(args).includes(`phase\\":\\"${phase}\\"`);
      if (hasEnded || !isWritten) return undefined;
      hasEnded = true;
      canaryCount = canariesOf(world);
      end(world, purple);
      return undefined;
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'error' });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(hostsOf(world, stackOf(world), pink)).toHaveLength(1);
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      expect.stringContaining(
        'its tags; EC2 reports its machines as i-0abc0000000000002 is terminated',
      ),
      'Missing: a machine of purple that EC2 does not report as terminated.',
    ]);
    // No shard could take a canary.
    expect(canariesOf(world)).toBe(canaryCount);
    expect(world.violations).toEqual([]);
  },
);

test('a canary that the new runner fails proves nothing, without access to hosts', async () => {
  const { scene, world } = await openPromoted(removeHostAccess);
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'fails_jobs';
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
  expect(ending.log.join('\n')).toMatch(
    /; canary job \d+ had a runner system failure \(runner_system_failure\)/,
  );
  expect(irreversibleCalls(scene)).toEqual([]);
  expect(isOpen(world, pink)).toBe(true);
});

test('a machine that ends during a drain is noticed ten minutes later, without access to hosts', async () => {
  const { scene, world } = await openPromoted(removeHostAccess);
  scene.simulation.at(40 * minute, (then) => end(then, purple));
  const openedAt = world.now;
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
  expect(isOpen(world, pink)).toBe(true);
  expect((world.now - openedAt) / minute).toBeLessThan(53);
  expect(world.violations).toEqual([]);
});

test('an earlier machine that EC2 still lists proves nothing against the new one, without access to hosts', async () => {
  const { scene, world } = await openPromoted(removeHostAccess);
  const before = createHost(world, { runnerName: stackOf(world).runnerName, shard: purple });
  terminateHost(world, before, 'world');
  absorb(world);
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  const verdicts = ending.events.flatMap((one) =>
    one.kind === 'service' && one.shard === purple ? [one.service.kind] : [],
  );
  expect(verdicts.filter((kind) => kind === 'proven').length).toBeGreaterThan(200);
  expect(ending.log.join('\n')).not.toContain('terminated');
});

test('a recent canary verifies the new shard if EC2 does not respond, without access to hosts', async () => {
  const { scene, world } = await openPromoted(removeHostAccess, ({ port, method }) =>
    port === 'instances' && method === 'list'
      ? { kind: 'error_before', failure: 'unavailable' }
      : undefined,
  );
  expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.violations).toEqual([]);
});

test('a machine that Systems Manager does not list does not count as ended with the listed ones', async () => {
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
