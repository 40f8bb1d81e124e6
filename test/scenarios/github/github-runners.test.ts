import { describe, expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { startStream } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, pipeline, withCustomers } from '../scene.ts';

const hour = 3_600_000;

/** Creates a fleet of three GitHub runners per shard, with one job at a time each. */
function fleet(runners: 'github_persistent' | 'github_ephemeral'): World {
  const stack = stackSettings({ managers: 1 });
  return worldWithActive(pink, { stacks: [stack], behaviour: { runners, concurrent: 1 } });
}

/** Adds jobs that outlast a switch. */
function withLongJobs(world: World): World {
  startStream(world, {
    everyMs: 2 * hour,
    durationsMs: [hour],
    tags: ['linux'],
    visible: true,
    project: 'customers/shop',
    count: 2,
  });
  return world;
}

describe('a fleet of GitHub runners', () => {
  test.each(['github_persistent', 'github_ephemeral'] as const)(
    '%s: a rollout under short and long jobs',
    async (runners) => {
      const scene = openScene(withLongJobs(fleet(runners)));
      await scene.simulation.advance(60_000);
      await pipeline(scene, '1-200');
      if (runners === 'github_persistent') expect(scene.story).toMatchSnapshot();
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('gets removed after its processes have ended and before its hosts', async () => {
    const scene = openScene(withCustomers(fleet('github_persistent'), 10));
    await pipeline(scene, '1-200');
    const order = scene.simulation.trace
      .filter(({ answer }) => answer !== undefined)
      .map(({ port, method }) => `${port}.${method}`)
      .filter((call) =>
        ['registry.retireWorkers', 'host.quit', 'infrastructure.destroy'].includes(call),
      );
    const first = [...new Set(order)];
    expect(first).toEqual(['host.quit', 'registry.retireWorkers', 'infrastructure.destroy']);
    expect(await scene.rest()).toEqual([]);
  });

  test('gets removed even if the first removal was killed at its start', async () => {
    const scene = openScene(withCustomers(fleet('github_persistent'), 10));
    for (const stage of ['prepare', 'onboard', 'provision'] as const) {
      await scene.type(stage, { deploymentId: '1-200' });
    }
    const deadline = scene.world.now + 90_000;
    await scene.type('shutdown', { deploymentId: '1-200', deadline });
    for (const stage of ['finalize', 'finalize'] as const) {
      await scene.type(stage, { deploymentId: '1-200' });
    }
    expect(hostsOf(scene.world, scene.world.stacks[0] as never, pink)).toEqual([]);
    expect(await scene.rest()).toEqual([]);
  });

  test('keeps a runner with a job if a retry gives up', async () => {
    let refusals = 4;
    const scene = openScene(withLongJobs(fleet('github_persistent')), ({ method }) =>
      method === 'retireWorkers' && refusals-- > 0
        ? { kind: 'error_before', failure: 'unavailable', status: 503 }
        : undefined,
    );
    await scene.simulation.advance(60_000);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) {
      await scene.type(stage, { deploymentId: '1-200' });
    }
    const endings: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const ending = await scene.type('finalize', { deploymentId: '1-200' });
      endings.push(ending.kind === 'error' ? ending.error.code : ending.kind);
    }
    expect(endings).toEqual([...Array(4).fill('Unavailable'), 'done', 'nothing']);
    expect(await scene.rest()).toEqual([]);
  });

  test('removes a busy runner whose host is gone, and reports it', async () => {
    const world = withLongJobs(fleet('github_persistent'));
    const scene = openScene(world);
    await scene.simulation.advance(60_000);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) {
      await scene.type(stage, { deploymentId: '1-200' });
    }
    for (const host of hostsOf(world, world.stacks[0] as never, pink)) {
      terminateHost(world, host, 'world');
    }
    await scene.type('finalize', { deploymentId: '1-200' });
    expect(scene.story.filter((line) => /Left over|Lost/.test(line))).toEqual([
      expect.stringMatching(
        /^ {2}! Lost: GitHub still reports job 9000001 .*, but its host no longer exists/,
      ),
      expect.stringMatching(
        /^ {2}! Left over: runner 701 "s_000000000001" is still listed as busy/,
      ),
      expect.stringMatching(
        /^ {2}! Left over: runner 701 "s_000000000001" is still listed as busy/,
      ),
    ]);
    await scene.simulation.advance(3 * hour);
    expect(world.violations).toEqual([]);
  });
});
