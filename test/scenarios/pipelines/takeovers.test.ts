import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { addShard, pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall, isProductionRouting, killAt, reach } from '../../stages/reach.ts';
import { openScene, withCustomers } from '../scene.ts';

describe('a rollback', () => {
  test('unpauses the old shard during its drain and removes the new one', async () => {
    const scene = openScene(withCustomers(await reach('draining'), 60));
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(active(scene.world)).toBe('pink');
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(scene.story).toMatchSnapshot();
    expect(await scene.rest()).toEqual([]);
  });

  test('changes nothing in a second run', async () => {
    const scene = openScene(await reach('promoted'));
    await scene.type('rollback');
    expect(await scene.type('rollback')).toMatchObject({
      kind: 'nothing',
      text: 'the rollback to pink is already promoted; "hosted-runner finalize --runner linux" finishes the rollback',
    });
    expect(active(scene.world)).toBe('pink');
  });

  test('passes to the next pipeline after it failed and its own pipeline ended', async () => {
    const world = await reach('promoted');
    const scene = openScene(world, killAt(isProductionRouting));
    await scene.type('rollback');
    await scene.simulation.advance(60_000);
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({ kind: 'done' });
    await scene.type('provision', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(active(world)).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });

  test('restarts an ended process, verifies it, and only then gives it jobs', async () => {
    const scene = openScene(withCustomers(await reach('drained'), 60));
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(active(scene.world)).toBe('pink');
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    const order = [
      /host\.start .*started/,
      /canary\.start/,
      /registry\.route 48213 tags=\["linux"\]/,
    ];
    const found = order.map((one) => scene.story.findIndex((line) => one.test(line)));
    expect(found).toEqual([...found].sort((one, other) => one - other));
    expect(found[0]).toBeGreaterThan(0);
    expect(await scene.rest()).toEqual([]);
  });

  test('fails if the process does not start, and provision undoes it', async () => {
    const world = await reach('drained');
    for (const host of Object.values(world.hosts))
      if (host.shard === 'pink') host.startFault = 'the runner could not be started: "no image"';
    const scene = openScene(world);
    expect(await scene.type('rollback')).toMatchObject({
      phase: 'promoting',
      error: {
        code: 'StartUnproven',
        exitCode: 1,
        fields: { why: ['The runner could not be started: "no image".'] },
      },
    });
    expect(active(world)).toBe('purple');
    const again = { deploymentId: '1-200-rollback', ci: 'terminal' } as const;
    expect(await scene.type('provision', again)).toMatchObject({
      phase: 'prepared',
      error: { code: 'Retreated' },
    });
    expect(await scene.type('provision', again)).toMatchObject({ phase: 'promoted' });
    expect(await scene.type('finalize', again)).toMatchObject({ phase: 'done' });
    expect(active(world)).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });

  test('completes in the next run if it was killed at any effect of a restart', async () => {
    for (const kill of [
      isCall('host', 'start'),
      isCall('registry', 'route'),
      isProductionRouting,
    ]) {
      const world = await reach('drained');
      const scene = openScene(withCustomers(world, 30), killAt(kill));
      expect(await scene.type('rollback')).toMatchObject({ kind: 'killed' });
      await scene.simulation.advance(60_000);
      const next = { takeLock: true, deploymentId: '1-300' } as const;
      await scene.type('prepare', next);
      await scene.type('provision', next);
      expect(await scene.type('finalize', next)).toMatchObject({ phase: 'done' });
      expect(active(world)).toBe('pink');
      expect(await scene.rest()).toEqual([]);
    }
  });

  test.each(['destroying', 'done'] as const)(
    'gets refused once the old shard is being removed (%s)',
    async (place) => {
      const scene = openScene(await reach(place));
      expect(await scene.type('rollback')).toMatchObject({
        error: { code: 'NothingToRollBack', exitCode: 2 },
      });
    },
  );

  test('retreats from a shard that fails its canary, and the new shard accepts jobs', async () => {
    const world = await reach('promoted');
    for (const host of Object.values(world.hosts))
      if (host.shard === 'pink') host.boot = 'broken_workload';
    const scene = openScene(world);
    expect(await scene.type('rollback')).toMatchObject({ error: { code: 'Retreated' } });
    expect(active(world)).toBe('purple');
    const again = { deploymentId: '1-200-rollback', ci: 'terminal' } as const;
    expect(await scene.type('provision', again)).toMatchObject({ phase: 'promoted' });
    expect(await scene.type('finalize', again)).toMatchObject({ phase: 'done' });
    expect(active(world)).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });
});

describe('an activation', () => {
  test('completes a manual edit: the error prints it, and finalize removes the other shard', async () => {
    const world = withCustomers(await reach('promoted'), 60);
    editStatus(world, formatStatus([pink, purple], pink));
    const scene = openScene(world);
    const ending = await scene.type('shutdown');
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
      'Pink is verified; make it the active shard: hosted-runner activate --runner linux --shard pink',
    );
    await scene.type('activate pink', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(active(world)).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });

  test('takes over a manually started runner that hosted-runner did not create', async () => {
    const world = worldWithActive(pink);
    addShard(world, { shard: purple, tags: ['by-hand'], note: 'mine', paused: true });
    const scene = openScene(withCustomers(world, 60));
    await scene.type('activate purple', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(active(world)).toBe('purple');
    expect(await scene.rest()).toEqual([]);
  });

  test('removes the rest of the other shard, even if only its token is left', async () => {
    const world = worldWithActive(pink);
    const { token } = parametersOf(world.stacks[0] as StackSettings);
    putParameter(world, { name: token(purple), value: 'glrt-left', secret: true });
    const scene = openScene(world);
    await scene.type('activate pink', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(await scene.rest()).toEqual([]);
  });

  test('requires new evidence for the shard in the status if another actor paused it', async () => {
    const world = await reach('done');
    for (const one of registrationsOf(world, world.stacks[0] as StackSettings, purple))
      one.paused = true;
    absorb(world);
    for (const host of Object.values(world.hosts))
      if (host.shard === 'purple') host.boot = 'broken_workload';
    const ending = await openScene(world).type('activate purple', { deploymentId: '1-300' });
    expect(ending).toMatchObject({ phase: 'promoting', error: { code: 'HealthcheckTimedOut' } });
    const [{ id, paused } = {}] = registrationsOf(world, world.stacks[0] as StackSettings, purple);
    expect(paused).toBe(false);
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
      `Check the jobs of runner ${id} now. If they fail, pause runner ${id} yourself: hosted-runner does not.`,
    );
  });

  test('never removes the shard that the status names, however unhealthy it is', async () => {
    const world = await reach('promoted');
    editStatus(world, formatStatus([pink, purple], pink));
    for (const host of Object.values(world.hosts))
      if (host.shard === 'pink') host.boot = 'broken_workload';
    const scene = openScene(world);
    expect(await scene.type('activate pink', { deploymentId: '1-300' })).toMatchObject({
      error: { code: 'HealthcheckTimedOut' },
    });
    expect(registrationsOf(world, world.stacks[0] as StackSettings, pink)).toHaveLength(1);
    expect(world.violations).toEqual([]);
  });
});

describe('a stack that exists already', () => {
  test.each([
    ['gets adopted if its active shard accepts jobs', [], 'prepared'],
    ['gets refused if its inactive shard has a runner', [{ shard: purple, tags: ['x'] }], 'none'],
    ['gets refused if its inactive shard accepts jobs', [{ shard: purple }], 'none'],
  ] as const)('%s', async (_, others, phase) => {
    const world = worldWithActive(pink);
    for (const other of others) addShard(world, other);
    const ending = await openScene(world).type('prepare');
    expect(ending.phase).toBe(phase);
    if (phase === 'none')
      expect(ending).toMatchObject({ error: { code: 'FactsContradict', exitCode: 3 } });
  });

  test('gets a new shard if its active shard has no machine any more', async () => {
    const world = worldWithActive(pink);
    for (const host of hostsOf(world, stackSettings(), pink)) terminateHost(world, host, 'world');
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision'] as const)
      expect(await scene.type(stage)).toMatchObject({ kind: 'done' });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(active(world)).toBe('purple');
    expect(await scene.rest()).toEqual([]);
  });

  test('gets refused if its active shard is paused', async () => {
    const world = worldWithActive(pink);
    for (const one of registrationsOf(world, stackSettings(), pink)) one.paused = true;
    absorb(world);
    expect(await openScene(world).type('prepare')).toMatchObject({
      phase: 'none',
      error: { code: 'FactsContradict', exitCode: 3 },
    });
  });

  test('gets refused with a runner but without status and record', async () => {
    const world = worldWithActive(pink);
    delete world.parameters[parametersOf(stackSettings()).status];
    expect(await openScene(world).type('prepare')).toMatchObject({
      error: { code: 'FactsContradict', exitCode: 3 },
    });
  });
});

function active(world: World): string | undefined {
  return activeShard(world, world.stacks[0] as StackSettings);
}

function editStatus(world: World, value: string): void {
  putParameter(world, { name: parametersOf(world.stacks[0] as StackSettings).status, value });
  absorb(world);
}
