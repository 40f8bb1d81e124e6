import { expect } from '@jest/globals';
import { costOf, type DeploymentCost } from '../../../src/domain/deployment/cost.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { parseRecord } from '../../../src/stages/record/record-format.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';

export const minute = 60_000;

/** Parses the record like an outside program. */
export function recorded(world: World) {
  const text = parameterValue(world, parametersOf(world.stacks[0] as StackSettings).record) ?? '';
  const parsed = parseRecord(text);
  if (parsed.kind !== 'record') throw new Error(parsed.kind);
  return parsed.record;
}

export function cost(world: World): DeploymentCost {
  return costOf(recorded(world).deployment, new Date(world.now).toISOString());
}

interface Opening {
  readonly drain?: Partial<StackSettings['drain']>;
  readonly jobs?: readonly { readonly minutes: number; readonly visible?: boolean }[];
  readonly concurrent?: number;
}

/** Reaches a promoted purple while pink runs jobs. The drain is next. */
export async function promoted({
  drain = {},
  jobs = [{ minutes: 60 }, { minutes: 5 }],
  concurrent = 10,
}: Opening = {}) {
  const settings = stackSettings();
  const stack = { ...settings, drain: { ...settings.drain, ...drain } };
  const world = worldWithActive(pink, { stacks: [stack], behaviour: { concurrent } });
  const scene = openScene(world);
  await scene.type('prepare');
  await scene.type('onboard');
  for (const [index, { minutes, visible = true }] of jobs.entries())
    submitJob(world, {
      name: `build ${index}`,
      tags: ['linux'],
      durationMs: minutes * minute,
      visible,
    });
  // A runner requests one job at a time.
  await scene.simulation.advance(Math.max(10_000, jobs.length * 4000));
  await scene.type('provision');
  return { scene, world };
}

export async function drainInPieces(
  scene: Scene,
  stage: 'shutdown' | 'finalize',
  deploymentId = '1-200',
) {
  for (let run = 0; run < 20; run += 1) {
    const deadline = scene.world.now + 8 * minute;
    const ending = await scene.type(stage, { deadline, deploymentId });
    if (ending.kind !== 'error') return ending;
    expect(ending.error.code).toBe('StillDraining');
  }
  throw new Error('the drain did not end');
}
