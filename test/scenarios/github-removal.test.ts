import { describe, expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../fakes/builders.ts';
import { terminateHost } from '../fakes/hosts.ts';
import { startStream } from '../fakes/jobs.ts';
import type { Intercept } from '../fakes/seam.ts';
import { hostsOf } from '../fakes/serving.ts';
import type { World } from '../fakes/world.ts';
import { openScene, type Scene } from './scene.ts';

const minute = 60_000;

/** Nobody asks the hosts: a list of GitHub's, up to a minute old, is all that speaks for a runner. */
function blindFleet(runners: 'github_persistent' | 'github_ephemeral'): World {
  const base = stackSettings();
  const off = { instance: 'off', host: 'off', workload: 'off' } as const;
  const stack = {
    ...base,
    host: { ...base.host, access: 'none' as const },
    healthcheck: {
      ...base.healthcheck,
      evidence: { ...base.healthcheck.evidence, ...off },
    },
    drain: { ...base.drain, confirmationMs: 10_000 },
  };
  return worldWithActive(pink, { stacks: [stack], behaviour: { runners, concurrent: 1 } });
}

/** One job that begins right before the shutdown, so that no list shows it yet. */
async function promotedWithFreshJob(
  runners: 'github_persistent' | 'github_ephemeral',
  intercept?: Intercept,
): Promise<Scene> {
  const world = blindFleet(runners);
  const scene = openScene(world, intercept);
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  // The candidate has its own; this one is for whoever still has the labels.
  for (const each of [1, 2]) {
    startStream(world, {
      everyMs: 10 * minute,
      durationsMs: [5 * minute],
      tags: ['linux'],
      visible: true,
      project: `customers/shop-${each}`,
      count: 1,
    });
  }
  await scene.simulation.advance(15_000);
  return scene;
}

/** When each removal was tried, in seconds after the first try. */
function tries({ simulation }: Scene): number[] {
  const at = simulation.trace
    .filter(({ method, answer }) => method === 'retireWorkers' && answer !== undefined)
    .map((call) => call.at);
  return at.map((one) => Math.round((one - (at[0] ?? one)) / 1000));
}

/** What is removed and ended, in its order. */
function ends({ simulation }: Scene): string[] {
  return simulation.trace
    .filter(({ answer }) => answer !== undefined)
    .map(({ port, method }) => `${port}.${method}`)
    .filter((call) => /retireWorkers|retire$|quit|destroy$/.test(call));
}

describe('a runner that no list shows as busy', () => {
  test('persistent: its removal is refused, and asked again each minute until its job has ended', async () => {
    const scene = await promotedWithFreshJob('github_persistent');
    await scene.type('finalize');
    expect(tries(scene).slice(0, 6)).toEqual([0, 60, 120, 180, 240, 300]);
    expect(scene.story.filter((line) => /Removed every|Lost|Left over/.test(line))).toEqual([
      '  Removed every runner of pink: none of them gets a job again.',
    ]);
    expect(await scene.rest()).toEqual([]);
  });

  test('ephemeral: it is tried once, waited for, and leaves by itself', async () => {
    const scene = await promotedWithFreshJob('github_ephemeral');
    await scene.type('finalize');
    const spared = scene.simulation.trace
      .filter(({ method, answer }) => method === 'retireWorkers' && answer !== undefined)
      .map(({ args }) => JSON.stringify(args[1]));
    expect(spared.slice(0, 3)).toEqual(['{"spare":[]}', '{"spare":[701]}', '{"spare":[701]}']);
    expect(await scene.rest()).toEqual([]);
  });
});

describe('an answer of GitHub’s that says nothing', () => {
  test.each([
    ['403', 'denied', 403],
    ['502', 'unavailable', 502],
    ['a rate limit', 'throttled', 403],
  ] as const)('%s to the removal: nothing goes before it is known', async (_, failure, status) => {
    let refusals = 3;
    const scene = await promotedWithFreshJob('github_persistent', ({ method }) =>
      method === 'retireWorkers' && refusals-- > 0
        ? { kind: 'error_before', failure, status }
        : undefined,
    );
    for (let turn = 0; turn < 5; turn += 1) await scene.type('finalize');
    const order = ends(scene);
    expect(order.indexOf('infrastructure.destroy')).toBeGreaterThan(
      order.lastIndexOf('registry.retireWorkers'),
    );
    expect(await scene.rest()).toEqual([]);
  });
});

describe('a shard that was scaled to zero before its removal', () => {
  test('leaves no registration behind, and nothing is waited for', async () => {
    const world = blindFleet('github_persistent');
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    for (const host of hostsOf(world, world.stacks[0] as never, pink)) {
      terminateHost(world, host, 'world');
    }
    await scene.type('finalize');
    expect(ends(scene)).toEqual([
      'registry.retireWorkers',
      'registry.retireWorkers',
      'registry.retire',
      'infrastructure.destroy',
      'infrastructure.destroy',
    ]);
    expect(await scene.rest()).toEqual([]);
  });
});
