import { expect, test } from '@jest/globals';
import { examineStack } from '../../../src/operator/doctor/doctor.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { at } from '../../broken-stacks/state.ts';
import { purple } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import type { World } from '../../fakes/world/world.ts';
import { end } from '../../scenarios/service/promoted.ts';
import { drive } from '../../stages/drive.ts';

type Infrastructure = StageContext['ports']['infrastructure'];

/** Wraps the infrastructure to count parallel calls. */
function counting({ infrastructure, clock }: StageContext['ports']) {
  const under = { way: 0, most: 0, calls: 0 };
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    under.way += 1;
    under.calls += 1;
    under.most = Math.max(under.most, under.way);
    try {
      // All other sources respond long before this.
      await clock.sleep(5000);
      return await call();
    } finally {
      under.way -= 1;
    }
  };
  const wrapped: Infrastructure = {
    ...infrastructure,
    exists: (shard) => counted(() => infrastructure.exists(shard)),
    listKnown: (shard) => counted(() => infrastructure.listKnown(shard)),
  };
  return { under, wrapped };
}

test.each([
  ['in a deployment', 'promoted', () => {}],
  // Without hosts, the availability check queries Terraform too.
  ['if no host is left', 'done', (world: World) => end(world, purple)],
] as const)(
  'doctor never runs Terraform twice at once in its folder %s',
  async (_, place, change) => {
    const world = await at(place, change);
    const simulation = createSimulation({ world, latencyMs: 1000 });
    let most = 0;
    let calls = 0;
    await drive(simulation, 'doctor', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: async (context) => {
        const { under, wrapped } = counting(context.ports);
        await examineStack({ ...context, ports: { ...context.ports, infrastructure: wrapped } });
        ({ most, calls } = under);
        return { kind: 'done', summary: [] };
      },
    });
    expect({ most, calls }).toEqual({ most: 1, calls: 4 });
  },
);
