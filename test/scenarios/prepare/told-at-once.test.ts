import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf } from '../../fakes/world/serving.ts';
import { openScene } from '../scene.ts';

/** Pink was deployed; then a person turns the status around, to a shard that is not there. */
async function turnedAround() {
  const stack = stackSettings();
  const world = worldWithActive(pink, { stacks: [stack] });
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize'] as const)
    await scene.type(stage);
  const status = parametersOf(stack).status;
  putParameter(world, { name: status, value: formatStatus([pink, purple], pink) });
  return { world, scene, status };
}

describe('a contradiction is told at once, and believed once it has lasted', () => {
  test.each(['prepare', 'finalize'] as const)('by %s', async (stage) => {
    const { scene } = await turnedAround();
    const ending = await scene.type(stage, { deploymentId: '1-300' });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'FactsContradict' } });
    expect(ending.log).toContain(
      'Waiting: deployment_status says pink is active, the record expects purple; a read may be behind, so both are looked at again.',
    );
  });

  test('after a second look where the read shows all that we have written', async () => {
    const { world, scene } = await turnedAround();
    const before = world.now;
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(world.now - before).toBe(1500);
  });

  test('after a fourth one where it may be older', async () => {
    const { world, scene, status } = await turnedAround();
    delete world.parameters[status];
    const before = world.now;
    await scene.type('finalize', { deploymentId: '1-300' });
    expect(world.now - before).toBe(4500);
  });
});

test('recover says at once what it looks at', async () => {
  const stack = stackSettings();
  const scene = openScene(worldWithActive(pink, { stacks: [stack] }));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  const { log } = await scene.type('recover auto');
  expect(log[0]).toBe(
    'Waiting: registrations, machines and jobs of both shards are looked at; they say which rung can help.',
  );
});
