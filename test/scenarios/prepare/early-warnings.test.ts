import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf } from '../../fakes/world/shards.ts';
import { openScene } from '../scene.ts';

/**
 * Deploys pink. Then an operator swaps the shards in the status, in favour of a shard that does not
 * exist.
 */
async function openSwapped() {
  const stack = stackSettings();
  const world = worldWithActive(pink, { stacks: [stack] });
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize'] as const)
    await scene.type(stage);
  const status = parametersOf(stack).status;
  putParameter(world, { name: status, value: formatStatus([pink, purple], pink) });
  return { world, scene, status };
}

describe('a contradiction between status and record', () => {
  test.each(['prepare', 'finalize'] as const)('appears in the log of %s at once', async (stage) => {
    const { scene } = await openSwapped();
    const ending = await scene.type(stage, { deploymentId: '1-300' });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'FactsContradict' } });
    expect(ending.log).toContain(
      'Waiting: deployment_status names pink as active, but the record expects purple; a response may be stale, so hosted-runner reads both parameters again.',
    );
  });

  test('counts after a second check if the read contains every own write', async () => {
    const { world, scene } = await openSwapped();
    const before = world.now;
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(world.now - before).toBe(1500);
  });

  test('counts after a fourth check if the read may be outdated', async () => {
    const { world, scene, status } = await openSwapped();
    delete world.parameters[status];
    const before = world.now;
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(world.now - before).toBe(4500);
  });
});

test('recover logs at once which state it reads', async () => {
  const stack = stackSettings();
  const scene = openScene(worldWithActive(pink, { stacks: [stack] }));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  const { log } = await scene.type('recover auto');
  expect(log[0]).toBe(
    'Waiting for the state of both shards (runners, machines, jobs) to choose a recovery method.',
  );
});
