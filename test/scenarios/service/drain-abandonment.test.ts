import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { end, hang, isOpen, minute, openPromoted, removeHostAccess, stackOf } from './promoted.ts';

/**
 * Reaches a promoted purple. A run paused pink for its drain and ended, with a job of hours on
 * pink.
 */
async function abandonedDrain() {
  const world = await reach('draining');
  world.violations.length = 0;
  return { world, scene: openScene(world) };
}

function nameActive(world: World, shard: typeof pink): void {
  const { status } = parametersOf(stackOf(world));
  putParameter(world, { name: status, value: formatStatus(stackOf(world).shards, shard) });
  absorb(world);
}

describe('a refused run beside a shard that a drain left paused and a dead new shard', () => {
  test('reopens the shard although an operator named it active, and prints the command that completes this', async () => {
    const { world, scene } = await abandonedDrain();
    end(world, purple);
    nameActive(world, pink);
    const ending = await scene.type('finalize', { deploymentId: ownId });
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'FactsContradict' } });
    expect(ending.kind === 'error' ? ending.error.fields.what : '').toBe(
      'The deployment record, the active-shard parameter and the observed state of linux contradict each other; pink was reopened because no shard was verified, and nothing else was touched.',
    );
    expect(isOpen(world, pink)).toBe(true);
    expect(JSON.stringify(ending)).toContain('hosted-runner activate --runner linux --shard pink');
    expect(await scene.type('activate pink', { deploymentId: '1-300' })).toMatchObject({
      kind: 'done',
    });
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({ kind: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test.each(['shutdown', 'finalize'] as const)(
    'reopens the shard under a hold: %s',
    async (stage) => {
      const { world, scene } = await abandonedDrain();
      await scene.type('hold');
      end(world, purple);
      const ending = await scene.type(stage, { deploymentId: ownId });
      expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Held' } });
      expect(isOpen(world, pink)).toBe(true);
      expect(ending.log.join('\n')).toContain('REOPENED pink: no machine of purple exists');
    },
  );

  test('reopens the shard once, and the next run under the hold finds it unpaused', async () => {
    const { world, scene } = await abandonedDrain();
    await scene.type('hold');
    end(world, purple);
    await scene.type('finalize', { deploymentId: ownId });
    const before = scene.simulation.trace.length;
    expect(await scene.type('finalize', { deploymentId: ownId })).toMatchObject({
      error: { code: 'Held' },
    });
    const effects = scene.simulation.trace.slice(before).filter(({ effect }) => effect);
    expect(effects.map(({ port, method }) => `${port}.${method}`)).toEqual([]);
  });
});

test('reports nothing about a shard that the drain has not paused yet', async () => {
  const world = await reach('draining, idle');
  const scene = openScene(world);
  await scene.type('hold');
  end(world, purple);
  const ending = await scene.type('finalize', { deploymentId: ownId });
  expect(ending).toMatchObject({ error: { code: 'Held' } });
  expect(ending.log.join('\n')).not.toContain('AGAIN');
  expect(isOpen(world, pink)).toBe(true);
});

describe('a shard that a drain left paused', () => {
  test('stays paused while the new shard is verified', async () => {
    const { world, scene } = await abandonedDrain();
    await scene.type('hold');
    expect(await scene.type('finalize', { deploymentId: ownId })).toMatchObject({
      phase: 'draining',
      error: { code: 'Held' },
    });
    expect(isOpen(world, pink)).toBe(false);
  });

  test('stays paused in a pipeline that is older than the deployment', async () => {
    const { world, scene } = await abandonedDrain();
    await scene.type('hold');
    end(world, purple);
    addPipeline(world, { deploymentId: '1-100', createdAt: world.now - 24 * 60 * minute });
    const ci = { deploymentId: '1-100', ci: 'gitlab' } as const;
    expect(await scene.type('finalize', ci)).toMatchObject({ error: { code: 'Held' } });
    expect(isOpen(world, pink)).toBe(false);
  });
});

describe('a shard that may still accept jobs', () => {
  async function promotedWithout(trouble: (world: World) => void) {
    const { scene, world } = await openPromoted();
    await scene.simulation.advance(10 * 60 * minute);
    end(world, purple);
    trouble(world);
    return { scene, world };
  }

  test('leads to a rollback command if its host cannot be queried but its runner had contact', async () => {
    const { scene } = await promotedWithout((world) => {
      for (const host of Object.values(world.hosts)) if (host.shard === pink) host.agent = 'lost';
    });
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ error: { code: 'NothingServes' } });
    expect(JSON.stringify(ending)).toContain('hosted-runner rollback --runner linux');
    expect(JSON.stringify(ending)).not.toContain('--although-nothing-serves');
    expect(await scene.type('recover although')).toMatchObject({
      error: {
        code: 'CannotRecover',
        fields: {
          why: [expect.stringContaining('Pink may accept jobs: a manager contacted')],
        },
      },
    });
  });

  test('cannot be removed if EC2 alone reports its machines as ended but its runner had contact', async () => {
    const { scene, world } = await openPromoted(removeHostAccess);
    await scene.simulation.advance(10 * 60 * minute);
    for (const shard of [pink, purple]) end(world, shard);
    expect(await scene.type('recover although')).toMatchObject({
      error: {
        code: 'CannotRecover',
        fields: {
          why: [expect.stringContaining('Pink may accept jobs: a manager contacted')],
        },
      },
    });
  });

  test('may be removed after a long time without contact', async () => {
    const { scene, world } = await promotedWithout((one) => hang(one, pink));
    for (const { managers } of registrationsOf(world, stackOf(world), pink))
      for (const manager of managers) manager.contactedAt = world.now - 60 * minute;
    for (const host of Object.values(world.hosts)) if (host.shard === pink) host.cutOff = 'hangs';
    expect(JSON.stringify(await scene.type('shutdown'))).toContain('--although-nothing-serves');
  });

  test('leads to the removal command in the first error if both shards have died', async () => {
    const { world, scene } = await abandonedDrain();
    end(world, purple);
    end(world, pink);
    const ending = await scene.type('shutdown', { deploymentId: ownId });
    expect(ending).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(ending.kind === 'error' ? ending.error.fields.fix : []).toEqual([
      'If pink cannot accept jobs either, remove it: hosted-runner recover --runner linux --although-nothing-serves --yes',
    ]);
  });
});

describe('the printed commands', () => {
  test('contain no activation of a shard without a runner', async () => {
    const { scene, world } = await openPromoted();
    for (const { id } of registrationsOf(world, stackOf(world), purple))
      delete world.registrations[id];
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ error: { code: 'NothingServes' } });
    expect(JSON.stringify(ending)).not.toContain('hosted-runner activate');
    expect(JSON.stringify(ending)).toContain('hosted-runner rollback --runner linux');
  });

  test('include the undo of the status edit if no shard can be activated', async () => {
    const { scene, world } = await openPromoted();
    await scene.simulation.advance(6 * 60 * minute);
    for (const stage of ['shutdown', 'cleanup'] as const) await scene.type(stage);
    end(world, purple);
    nameActive(world, pink);
    const ending = await scene.type('deploy', { deploymentId: '1-300' });
    expect(ending).toMatchObject({ error: { code: 'FactsContradict' } });
    const { status } = parametersOf(stackOf(world));
    const value = '{"active_shard":"purple","inactive_shard":"pink"}';
    const undo = `aws ssm put-parameter --overwrite --name ${status} --value '${value}'`;
    expect(ending.kind === 'error' ? ending.error.fields.fix?.[0] : '').toBe(
      `Undo the edit: ${undo}`,
    );
    putParameter(world, { name: status, value });
    await scene.simulation.advance(minute);
    expect(await scene.type('deploy', { deploymentId: '1-301' })).toMatchObject({ kind: 'done' });
  });
});
