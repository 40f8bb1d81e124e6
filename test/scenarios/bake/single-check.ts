import type { BakeSignals } from '../../../src/domain/settings.ts';
import { watchHealth } from '../../../src/stages/steps/bake/health-signal.ts';
import { readSignals } from '../../../src/stages/steps/bake/read-signals.ts';
import { watchStarvation } from '../../../src/stages/steps/bake/starvation.ts';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import { purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { SignalsState } from '../../fakes/ports/signals-fake.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { openPromoted } from '../service/promoted.ts';

/** Reads the bake signals once, after purple's promotion and before the end of pink's drain. */
export async function read(
  signals: Partial<BakeSignals>,
  {
    signals: responses = {},
    about = () => {},
    after = () => {},
    needs,
    intercept,
    timeoutMs,
  }: {
    timeoutMs?: number;
    signals?: SignalsState;
    about?: (world: World) => void;
    after?: (world: World) => void;
    needs?: 'canary';
    intercept?: Intercept;
  } = {},
) {
  const { scene, world } = await openPromoted(
    (stack) => ({
      ...stack,
      bake: { ...stack.bake, signals: { ...jobsAlone, ...signals } },
      healthcheck: {
        ...stack.healthcheck,
        timeoutMs: timeoutMs ?? stack.healthcheck.timeoutMs,
      },
    }),
    intercept,
  );
  world.signals = responses;
  about(world);
  const facts = { shard: purple, jobs: [], before: [] };
  const memory = { waits: watchStarvation(), health: watchHealth() };
  let readings: Awaited<ReturnType<typeof readSignals>> = [];
  const ending = await drive(scene.simulation, 'shutdown', {
    deploymentId: '1-200',
    jobId: '7777',
    act: async (context) => {
      await context.journal.read();
      readings = await readSignals(context, { ...facts, ...memory, needs });
      return { kind: 'done', summary: [] };
    },
  });
  after(world);
  if (ending.kind === 'error') throw ending.error;
  return { ending, readings, tags: Object.values(world.registrations).map(({ tags }) => tags) };
}

export const worded = ({ readings }: Awaited<ReturnType<typeof read>>) =>
  readings.map(({ signal, value, detail }) => `${signal} ${value}: ${detail}`);
