import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import {
  askedByCanaryAlone,
  end,
  hang,
  isOpen,
  minute,
  openPromoted,
  stackOf,
} from './promoted.ts';

/** Purple is promoted; a run has closed pink for its drain and ended, with a job of hours on it. */
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

describe('a run that is refused opens what the drain left closed, where the new shard has died', () => {
  test('although a person has named the old one active: what is printed makes that whole', async () => {
    const { world, scene } = await abandonedDrain();
    end(world, purple);
    nameActive(world, pink);
    const ending = await scene.type('finalize', { deploymentId: ownId });
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'FactsContradict' } });
    expect(ending.kind === 'error' ? ending.error.fields.what : '').toBe(
      'Record, status and reality of linux contradict each other; pink was opened again, as no shard was proven to serve, and nothing else was touched.',
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
    'although the stack is held: by %s',
    async (stage) => {
      const { world, scene } = await abandonedDrain();
      await scene.type('hold');
      end(world, purple);
      const ending = await scene.type(stage, { deploymentId: ownId });
      expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Held' } });
      expect(isOpen(world, pink)).toBe(true);
      expect(ending.log.join('\n')).toContain('OPENED pink AGAIN: no machine of purple exists any');
    },
  );

  test('once: the next run under the hold finds it open', async () => {
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

test('a run that is refused says nothing of a shard that the drain has not closed yet', async () => {
  const world = await reach('draining, idle');
  const scene = openScene(world);
  await scene.type('hold');
  end(world, purple);
  const ending = await scene.type('finalize', { deploymentId: ownId });
  expect(ending).toMatchObject({ error: { code: 'Held' } });
  expect(ending.log.join('\n')).not.toContain('AGAIN');
  expect(isOpen(world, pink)).toBe(true);
});

describe('it stays closed', () => {
  test('while the new one is proven to serve', async () => {
    const { world, scene } = await abandonedDrain();
    await scene.type('hold');
    expect(await scene.type('finalize', { deploymentId: ownId })).toMatchObject({
      phase: 'draining',
      error: { code: 'Held' },
    });
    expect(isOpen(world, pink)).toBe(false);
  });

  test('for a pipeline that is older than the deployment', async () => {
    const { world, scene } = await abandonedDrain();
    await scene.type('hold');
    end(world, purple);
    addPipeline(world, { deploymentId: '1-100', createdAt: world.now - 24 * 60 * minute });
    const ci = { deploymentId: '1-100', ci: 'gitlab' } as const;
    expect(await scene.type('finalize', ci)).toMatchObject({ error: { code: 'Held' } });
    expect(isOpen(world, pink)).toBe(false);
  });
});

describe('what may still serve is not offered to be taken', () => {
  async function promotedWithout(trouble: (world: World) => void) {
    const { scene, world } = await openPromoted();
    await scene.simulation.advance(10 * 60 * minute);
    end(world, purple);
    trouble(world);
    return { scene, world };
  }

  test('an old shard whose host nobody can ask, and whose runner GitLab heard of: back to it', async () => {
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
        fields: { why: [expect.stringContaining('Pink may serve: a manager of it contacted')] },
      },
    });
  });

  test('an old shard whose machines EC2 alone calls ended, and whose runner GitLab heard of', async () => {
    const { scene, world } = await openPromoted(askedByCanaryAlone);
    await scene.simulation.advance(10 * 60 * minute);
    for (const shard of [pink, purple]) end(world, shard);
    expect(await scene.type('recover although')).toMatchObject({
      error: {
        code: 'CannotRecover',
        fields: { why: [expect.stringContaining('Pink may serve: a manager of it contacted')] },
      },
    });
  });

  test('one that has been silent for long may be taken', async () => {
    const { scene, world } = await promotedWithout((one) => hang(one, pink));
    for (const { managers } of registrationsOf(world, stackOf(world), pink))
      for (const manager of managers) manager.contactedAt = world.now - 60 * minute;
    for (const host of Object.values(world.hosts)) if (host.shard === pink) host.cutOff = 'hangs';
    expect(JSON.stringify(await scene.type('shutdown'))).toContain('--although-nothing-serves');
  });

  test('where both have died, the error that opens the old one says so at once', async () => {
    const { world, scene } = await abandonedDrain();
    end(world, purple);
    end(world, pink);
    const ending = await scene.type('shutdown', { deploymentId: ownId });
    expect(ending).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(ending.kind === 'error' ? ending.error.fields.fix : []).toEqual([
      'Take pink away although no shard serves: hosted-runner recover --runner linux --although-nothing-serves --yes',
    ]);
  });
});

describe('only what would be accepted is printed', () => {
  test('no activation of a shard that has no registration', async () => {
    const { scene, world } = await openPromoted();
    for (const { id } of registrationsOf(world, stackOf(world), purple))
      delete world.registrations[id];
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ error: { code: 'NothingServes' } });
    expect(JSON.stringify(ending)).not.toContain('hosted-runner activate');
    expect(JSON.stringify(ending)).toContain('hosted-runner rollback --runner linux');
  });

  test('where no shard could be activated, how the edit of the status is undone', async () => {
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
