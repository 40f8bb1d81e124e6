import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { minute, openPromoted, stackOf } from './promoted.ts';

const reporting = (stack: StackSettings): StackSettings => ({
  ...stack,
  bake: { ...stack.bake, onUnhealthy: 'report' },
});

/** Ends a job of each project on the shard by a runner system failure. */
function breakJobs(world: World, shard: Shard, projects: readonly string[]): void {
  for (const project of projects) {
    const job = submitJob(world, { name: 'build', tags: ['nobody'], durationMs: 1000, project });
    Object.assign(job, {
      status: 'failed',
      failureReason: 'runner_system_failure',
      registrationId: registrationsOf(world, stackOf(world), shard)[0]?.id,
      startedAt: world.now - 5000,
      finishedAt: world.now,
    });
  }
}

/**
 * Runs a drain of pink while purple breaks a job of one project and, minutes later, of another.
 */
async function drainUnder(
  change: (stack: StackSettings) => StackSettings,
  {
    intercept,
    also = [],
    typed = {},
  }: {
    intercept?: Intercept;
    also?: readonly Shard[];
    typed?: { readonly config?: string };
  } = {},
) {
  const { scene, world } = await openPromoted(change, intercept);
  for (const [at, project] of [
    [10, 'acme/shop'],
    [15, 'acme/web'],
  ] as const)
    scene.simulation.at(at * minute, () => {
      for (const shard of [purple, ...also]) breakJobs(world, shard, [project]);
    });
  const ending = await scene.type('shutdown', typed);
  return { ending, told: ending.log.filter((line) => line.includes('fails more customer jobs')) };
}

describe('a promoted shard that fails customer jobs while the old one drains', () => {
  test('appears in the log once with the rollback command, and the drain continues', async () => {
    const { ending, told: logged } = await drainUnder(reporting);
    expect(ending).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(
      /^! purple fails more customer jobs than a good runner: 2 runner system failures in 2 jobs, for example job \d+ "build" \(runner_system_failure\); at the baseline failure rate of 0\.2 %, this happens once in 250000 cases\. If pink \(48213\) still exists, roll back once this run is cancelled or has ended: hosted-runner rollback --runner linux$/,
    );
  });

  test('appears in the log with the configuration file that was typed', async () => {
    const { told: logged } = await drainUnder(reporting, { typed: { config: 'elsewhere.yml' } });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(
      /roll back once this run is cancelled or has ended: hosted-runner rollback --runner linux --config elsewhere\.yml$/,
    );
  });

  test('can be rolled back by the printed command after a cancellation', async () => {
    const { scene } = await openPromoted(reporting);
    const controller = new AbortController();
    scene.simulation.at(10 * minute, () => breakJobs(scene.world, purple, ['acme/shop']));
    scene.simulation.at(15 * minute, () => breakJobs(scene.world, purple, ['acme/web']));
    scene.simulation.at(20 * minute, () => controller.abort());
    const cut = await scene.type('shutdown', { signal: controller.signal });
    expect(cut).toMatchObject({ kind: 'error', error: { code: 'Cancelled' } });
    expect(cut.log.join('\n')).toContain('fails more customer jobs');
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('stays unchecked unless the check is configured', async () => {
    expect((await drainUnder((stack) => stack)).told).toEqual([]);
  });

  test('causes no log line if the jobs of the old shard fail at the same time', async () => {
    expect((await drainUnder(reporting, { also: [pink] })).told).toEqual([]);
  });

  test('appears in the log as soon as its jobs can be listed again', async () => {
    let refused = 0;
    const intercept: Intercept = ({ method }) => {
      if (method !== 'readJobHistory' || refused >= 40) return undefined;
      refused += 1;
      return { kind: 'error_before', failure: 'denied', status: 403 };
    };
    const { ending, told: logged } = await drainUnder(reporting, { intercept });
    expect(ending.kind).toBe('done');
    expect(refused).toBe(40);
    expect(logged).toHaveLength(1);
  });
});
