import { expect, test } from '@jest/globals';
import { examineStack } from '../../../src/operator/doctor/doctor.ts';
import type { StageContext } from '../../../src/stages/walk/context.ts';
import { at } from '../../broken-stacks/state.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { drive } from '../../stages/drive.ts';

type Infrastructure = StageContext['ports']['infrastructure'];

/** The same, telling how many of its answers were waited for at once. */
function counting(infrastructure: Infrastructure) {
  const under = { way: 0, most: 0, calls: 0 };
  const counted = async <T>(ask: () => Promise<T>): Promise<T> => {
    under.way += 1;
    under.calls += 1;
    under.most = Math.max(under.most, under.way);
    try {
      return await ask();
    } finally {
      under.way -= 1;
    }
  };
  const asked: Infrastructure = {
    ...infrastructure,
    exists: (shard) => counted(() => infrastructure.exists(shard)),
    listKnown: (shard) => counted(() => infrastructure.listKnown(shard)),
  };
  return { under, asked };
}

test('doctor never has Terraform twice at once in its folder', async () => {
  const world = await at('promoted', () => {});
  const simulation = createSimulation({ world, latencyMs: 1000 });
  let most = 0;
  let calls = 0;
  await drive(simulation, 'doctor', {
    deploymentId: 'terminal-4',
    ci: 'terminal',
    act: async (context) => {
      const { under, asked } = counting(context.ports.infrastructure);
      await examineStack({ ...context, ports: { ...context.ports, infrastructure: asked } });
      ({ most, calls } = under);
      return { kind: 'done', summary: [] };
    },
  });
  expect({ most, calls }).toEqual({ most: 1, calls: 4 });
});
