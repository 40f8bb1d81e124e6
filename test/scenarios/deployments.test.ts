import { describe, expect, test } from '@jest/globals';
import { emptyWorld, pink, purple, worldWithActive } from '../fakes/builders.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { hostsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { isProductionRouting, killAt } from '../stages/reach.ts';
import { openScene, pipeline, withCustomers } from './scene.ts';

describe('a deployment', () => {
  test('completes as the first one of a stack', async () => {
    const scene = openScene(emptyWorld());
    await pipeline(scene, '1-100');
    expect(scene.story.at(-1)).toMatch(/^= done: deployment 1-100 \(candidate /);
    expect(await scene.rest()).toEqual([]);
  });

  test('completes as the second one, under customer jobs', async () => {
    const world = emptyWorld();
    await pipeline(openScene(world), '1-100');
    const scene = openScene(withCustomers(world));
    await pipeline(scene, '1-200');
    expect(scene.story).toMatchSnapshot();
    expect(await scene.rest()).toEqual([]);
  });

  test('runs from purple to pink as from pink to purple, with the names exchanged', async () => {
    const there = openScene(withCustomers(worldWithActive(pink)));
    const back = openScene(withCustomers(worldWithActive(purple)));
    await pipeline(there, '1-200');
    await pipeline(back, '1-200');
    expect(back.story.map(exchanged)).toEqual(there.story);
    expect([...(await there.rest()), ...(await back.rest())]).toEqual([]);
  });

  test('completes as one command in a terminal', async () => {
    const scene = openScene(withCustomers(worldWithActive(pink)));
    expect(await scene.type('deploy', { ci: 'terminal', deploymentId: 'at-1' })).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
    expect(await scene.rest()).toEqual([]);
  });
});

describe('an unhealthy candidate', () => {
  test('never contacts GitLab: pink accepts jobs, cleanup removes purple, and provision rebuilds it', async () => {
    const world = worldWithActive(pink, {
      behaviour: { boots: { 'purple-linux': ['never_contacts'] } },
    });
    const scene = openScene(withCustomers(world));
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    await scene.type('recover cleanup');
    for (const stage of ['shutdown', 'cleanup'] as const) await scene.type(stage);
    expect(scene.story).toMatchSnapshot();
    expect(await scene.rest()).toEqual([]);
  });

  test('fails every job: two consecutive verdicts allow its cleanup', async () => {
    const world = worldWithActive(pink, {
      behaviour: { boots: { 'purple-linux': ['fails_jobs'] } },
    });
    const scene = openScene(withCustomers(world));
    for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
    const first = await scene.type('provision');
    const early = await scene.type('recover cleanup');
    const second = await scene.type('provision');
    expect([first, early, second].map((one) => one.kind === 'error' && one.error.code)).toEqual([
      'CanaryFailed',
      'CannotRecover',
      'CanaryFailed',
    ]);
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('fails after the production tags: it retreats and is removed, and pink accepts jobs', async () => {
    const world = withCustomers(worldWithActive(pink), 300);
    const scene = openScene(world, killAt(isProductionRouting));
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    breakCanary(world);
    expect(await scene.type('provision')).toMatchObject({
      kind: 'error',
      phase: 'prepared',
      error: { code: 'Retreated', exitCode: 1 },
    });
    for (const stage of ['provision', 'shutdown', 'cleanup'] as const) await scene.type(stage);
    expect(await scene.rest()).toEqual([]);
  });

  test('dies after the production tags: pink accepts jobs, and the next runs rebuild it', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world, killAt(isProductionRouting));
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    for (const host of hostsOf(world, world.stacks[0] as never, purple))
      terminateHost(world, host, 'world');
    await scene.type('provision');
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });
});

/** Makes new containers impossible. Running jobs continue. */
function breakCanary(world: World): void {
  for (const host of hostsOf(world, world.stacks[0] as never, purple))
    host.boot = 'broken_workload';
}

function exchanged(line: string): string {
  return line
    .replaceAll('pink', 'PURPLE')
    .replaceAll('purple', 'pink')
    .replaceAll('PURPLE', 'purple');
}
