import { describe, expect, test } from '@jest/globals';
import { capital } from '../../../src/domain/text/capital.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { Command, Drive } from '../../stages/drive.ts';
import { isProductionRouting, killAt, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const stages = ['shutdown', 'cleanup', 'bake', 'finalize'] as const;
const finishes =
  'may still exist as the old shard. The scheduled finalize removes it; without a schedule, run hosted-runner finalize --runner linux.';

/**
 * Runs a retirement while AWS throttles the parameters with these names, from the first request on.
 */
async function throttled(
  command: Command,
  names: readonly string[],
  options: Partial<Drive> & { readonly laterMs?: number } = {},
) {
  const { laterMs = 0, ...how } = options;
  let isThrottled = false;
  const intercept: Intercept = ({ port, args }) => {
    const of = JSON.stringify(args);
    return isThrottled && port === 'parameters' && names.some((name) => of.includes(name))
      ? { kind: 'error_before', failure: 'throttled' }
      : undefined;
  };
  const scene = openScene(worldWithActive(pink), intercept);
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  await scene.simulation.advance(laterMs);
  isThrottled = true;
  const ending = await scene.type(command, how);
  if (ending.kind !== 'error') throw new Error(`${command} ended: ${ending.kind}`);
  return ending.error;
}

describe('a retirement that cannot read the record', () => {
  test.each(stages)(
    '%s names the inactive shard and the command that removes it',
    async (command) => {
      const { exitCode, fields } = await throttled(command, ['deployment_record']);
      expect(exitCode).toBe(75);
      expect(fields.now).toContain(
        `The deployment record of linux was not read, so pink ${finishes}`,
      );
    },
  );

  test.each(stages)('%s names both shards if the active shard is unknown', async (command) => {
    const { exitCode, fields } = await throttled(command, ['deployment_']);
    expect(exitCode).toBe(75);
    expect(fields.now).toContain(
      `The deployment record of linux was not read, so pink or purple ${finishes}`,
    );
  });

  test('ends with exit code 1 if its pipeline was created a day ago', async () => {
    const day = 24 * 3_600_000;
    expect(await throttled('finalize', ['deployment_'], { laterMs: day })).toMatchObject({
      exitCode: 1,
    });
    expect(
      await throttled('finalize', ['deployment_'], { laterMs: day - 3_600_000 }),
    ).toMatchObject({
      exitCode: 75,
    });
  });
});

test('provision that cannot read the record names no old shard', async () => {
  const { fields } = await throttled('provision', ['deployment_record']);
  expect(fields.now).not.toContain('may still exist');
});

test('a rollback that another run has started names the remaining shard', async () => {
  const world = await reach('promoted');
  const scene = openScene(world, killAt(isProductionRouting));
  expect(await scene.type('rollback', { jobId: 'rollback' })).toMatchObject({ kind: 'killed' });
  const [pipeline] = Object.values(world.pipelines);
  if (pipeline !== undefined) pipeline.jobs['rollback'] = 'running';
  const ending = await scene.type('finalize', { deploymentId: '1-300' });
  expect(ending).toMatchObject({ error: { code: 'LockHeld', exitCode: 75 }, phase: 'promoting' });
  expect(ending.kind === 'error' && ending.error.fields.now).toContain(
    `${capital(purple)} still exists. The scheduled finalize removes it;`,
  );
});
