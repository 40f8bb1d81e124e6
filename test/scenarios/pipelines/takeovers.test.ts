import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { addShard, pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall, isProductionRouting, killAt, reach } from '../../stages/reach.ts';
import { openScene, withCustomers } from '../scene.ts';

describe('a rollback', () => {
  test('while the old shard drains un-pauses it, and retires the new one', async () => {
    const scene = openScene(withCustomers(await reach('draining'), 60));
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(active(scene.world)).toBe('pink');
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(scene.story).toMatchSnapshot();
    expect(await scene.rest()).toEqual([]);
  });

  test('run again changes nothing', async () => {
    const scene = openScene(await reach('promoted'));
    await scene.type('rollback');
    expect(await scene.type('rollback')).toMatchObject({
      kind: 'nothing',
      says: 'the rollback to pink is promoted already; "hosted-runner finalize --runner linux" finishes it',
    });
    expect(active(scene.world)).toBe('pink');
  });

  test('that failed is adopted by the next pipeline once its own is over', async () => {
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

  test('once the old process has ended starts it anew, proves it, and only then gives it jobs', async () => {
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

  test('to a process that does not start is an error, and taken back by provision', async () => {
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

  test('to a process that ended, killed at any of its effects, is finished by whoever comes next', async () => {
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
    'is refused once the old shard is being removed (%s)',
    async (place) => {
      const scene = openScene(await reach(place));
      expect(await scene.type('rollback')).toMatchObject({
        error: { code: 'NothingToRollBack', exitCode: 2 },
      });
    },
  );

  test('to a shard that fails its canary is taken back, and the new one serves on', async () => {
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
  test('makes a hand edit whole: the error prints it, and finalize retires the other shard', async () => {
    const world = withCustomers(await reach('promoted'), 60);
    editStatus(world, formatStatus([pink, purple], pink));
    const scene = openScene(world);
    const ending = await scene.type('shutdown');
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
      'Pink is proven to serve; make that whole: hosted-runner activate --runner linux --shard pink',
    );
    await scene.type('activate pink', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(active(world)).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });

  test('takes a runner that somebody started by hand, with a registration that is not ours', async () => {
    const world = worldWithActive(pink);
    addShard(world, { shard: purple, tags: ['by-hand'], note: 'mine', paused: true });
    const scene = openScene(withCustomers(world, 60));
    await scene.type('activate purple', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(active(world)).toBe('purple');
    expect(await scene.rest()).toEqual([]);
  });

  test('removes what is left of the other shard, be it its token alone', async () => {
    const world = worldWithActive(pink);
    const { token } = parametersOf(world.stacks[0] as StackSettings);
    putParameter(world, { name: token(purple), value: 'glrt-left', secret: true });
    const scene = openScene(world);
    await scene.type('activate pink', { deploymentId: '1-300' });
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(await scene.rest()).toEqual([]);
  });

  test('of the shard that the status names, where somebody has paused it, rests on evidence of its own', async () => {
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
      `Pause runner ${id} now, unless its jobs succeed: it stays open.`,
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
    ['whose active shard serves is taken over', [], 'prepared'],
    ['whose inactive shard has a registration is not', [{ shard: purple, tags: ['x'] }], 'none'],
    ['whose inactive shard serves is not', [{ shard: purple }], 'none'],
  ] as const)('%s', async (_, others, phase) => {
    const world = worldWithActive(pink);
    for (const other of others) addShard(world, other);
    const ending = await openScene(world).type('prepare');
    expect(ending.phase).toBe(phase);
    if (phase === 'none')
      expect(ending).toMatchObject({ error: { code: 'FactsContradict', exitCode: 3 } });
  });

  test('whose active shard has no machine any more gets another one', async () => {
    const world = worldWithActive(pink);
    for (const host of hostsOf(world, stackSettings(), pink)) terminateHost(world, host, 'world');
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision'] as const)
      expect(await scene.type(stage)).toMatchObject({ kind: 'done' });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(active(world)).toBe('purple');
    expect(await scene.rest()).toEqual([]);
  });

  test('whose active shard is paused is not', async () => {
    const world = worldWithActive(pink);
    for (const one of registrationsOf(world, stackSettings(), pink)) one.paused = true;
    absorb(world);
    expect(await openScene(world).type('prepare')).toMatchObject({
      phase: 'none',
      error: { code: 'FactsContradict', exitCode: 3 },
    });
  });

  test('with a registration and neither status nor record is not', async () => {
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
