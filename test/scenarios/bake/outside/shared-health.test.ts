import { describe, expect, test } from '@jest/globals';
import type { BakeSignals } from '../../../../src/domain/settings.ts';
import type { Shard } from '../../../../src/domain/shard.ts';
import { jobsAlone } from '../../../fakes/bake-settings.ts';
import { activeShard, hostsOf } from '../../../fakes/world/shards.ts';
import { minute } from '../../service/promoted.ts';
import { openReaching, pink, purple, stackOf } from '../baked.ts';

const target = 'https://gitlab.example.com';

/**
 * Opens a stack with purple promoted and pink drained. The health evidence decides the verdict.
 */
async function openByHealth(signals: Partial<BakeSignals> = { health: 'required' }) {
  const { scene, world } = await openReaching(target, { signals: { ...jobsAlone, ...signals } });
  const hosts = (shards: readonly Shard[]) =>
    shards.flatMap((shard) => hostsOf(world, stackOf(world), shard));
  const reach = (shards: readonly Shard[], unreachable: Record<string, string>) => {
    for (const host of hosts(shards)) host.unreachable = unreachable;
  };
  const agents = (shards: readonly Shard[], agent: 'online' | 'lost') => {
    for (const host of hosts(shards)) host.agent = agent;
  };
  return { scene, world, reach, agents };
}

const none = { [target]: 'no connection' };

describe('evidence that both shards lack', () => {
  test('causes no rollback if no host reaches GitLab', async () => {
    const { scene, world, reach } = await openByHealth();
    scene.simulation.at(5 * minute, () => reach([pink, purple], none));
    scene.simulation.at(15 * minute, () => reach([pink, purple], {}));
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('causes no rollback if the old shard has it again slightly earlier', async () => {
    const { scene, reach } = await openByHealth();
    scene.simulation.at(5 * minute, () => reach([pink, purple], none));
    scene.simulation.at(11 * minute, () => reach([pink], {}));
    scene.simulation.at(14.5 * minute, () => reach([purple], {}));
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  });

  test('causes no rollback if no agent responds', async () => {
    const { scene, world, agents } = await openByHealth();
    scene.simulation.at(5 * minute, () => agents([pink, purple], 'lost'));
    scene.simulation.at(14 * minute, () => agents([pink, purple], 'online'));
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });

  test('leads to an inconclusive verdict with the reason if it stays missing', async () => {
    const { scene, world, reach } = await openByHealth();
    scene.simulation.at(5 * minute, () => reach([pink, purple], none));
    const ending = await scene.type('bake');
    expect(ending.log.join('\n')).toContain(
      `Baked purple: inconclusive, health: host i-0abc0000000000002 does not reach ${target} (no connection); the hosts of purple and of pink do not reach ${target}`,
    );
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });
});

describe('evidence that the new shard lacks', () => {
  test('causes a rollback if the old shard has it', async () => {
    const { scene, world, reach } = await openByHealth();
    scene.simulation.at(5 * minute, () => reach([purple], none));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('causes a rollback if the old shard has had it again for a long time', async () => {
    const { scene, world, reach } = await openByHealth();
    scene.simulation.at(5 * minute, () => reach([pink, purple], none));
    scene.simulation.at(8 * minute, () => reach([pink], {}));
    await scene.type('bake');
    expect(activeShard(world, stackOf(world))).toBe(pink);
  });

  test.each([
    ['the new shard lacks reach, and the old shard its agent', [purple], [pink]],
    ['the new shard lacks its agent, and the old shard reach', [pink], [purple]],
  ])('counts as bad if the old shard lacks other evidence: %s', async (_, unreached, lost) => {
    const { scene, reach, agents } = await openByHealth();
    scene.simulation.at(5 * minute, () => {
      reach(unreached, none);
      agents(lost, 'lost');
    });
    const ending = await scene.type('bake');
    expect(ending.log.join('\n')).toContain('purple is bad');
  });
});

describe('a canary that fails on the new shard', () => {
  test.each([
    [
      'causes no rollback while neither shard reaches what it needs',
      [pink, purple],
      'baked',
      purple,
    ],
    ['causes a rollback while the old shard reaches what it needs', [purple], 'promoted', pink],
  ] as const)('%s', async (_, shards, phase, active) => {
    const { scene, world, reach } = await openByHealth({ canary: 'required' });
    const behave = (boot: 'ok' | 'fails_jobs') => {
      for (const host of hostsOf(world, stackOf(world), purple)) host.boot = boot;
    };
    scene.simulation.at(25 * minute, () => {
      reach(shards, none);
      behave('fails_jobs');
    });
    scene.simulation.at(35 * minute, () => {
      reach(shards, {});
      behave('ok');
    });
    expect(await scene.type('bake')).toMatchObject({ phase });
    expect(activeShard(world, stackOf(world))).toBe(active);
    expect(world.violations).toEqual([]);
  });
});
