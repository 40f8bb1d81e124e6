import type { BakeSettings, StackSettings } from '../../../src/domain/settings.ts';
import { bakingStack, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { breakJobs } from '../../fakes/world/broken-jobs.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { openScene } from '../scene.ts';
import { hour, stackOf } from '../service/promoted.ts';

export interface Baked {
  readonly bake?: Partial<BakeSettings>;
  readonly intercept?: Intercept;
  /** Duration of pink's last job; pink is idle if absent. */
  readonly longBuildMs?: number;
}

/** Opens a stack whose bake begins: purple is promoted, and pink's drain is next. */
export async function openBaking({ bake = {}, intercept, longBuildMs }: Baked = {}) {
  const world = worldWithActive(pink, { stacks: [bakingStack(bake)] });
  const scene = openScene(world, intercept);
  await scene.type('prepare');
  await scene.type('onboard');
  if (longBuildMs !== undefined)
    submitJob(world, {
      name: 'long build',
      tags: ['linux'],
      durationMs: longBuildMs,
      visible: true,
    });
  await scene.simulation.advance(10_000);
  await scene.type('provision');
  return { scene, world };
}

/** Opens a drained stack with pink's process running, before the bake. */
export async function openDrained(options: Baked = {}) {
  const opened = await openBaking(options);
  await opened.scene.type('shutdown');
  return opened;
}

/** Drains a stack whose shards both have to reach the address. */
export async function openReaching(target: string, bake: Partial<BakeSettings> = {}) {
  const stack = bakingStack(bake);
  const { evidence } = stack.healthcheck;
  const healthcheck: StackSettings['healthcheck'] = {
    ...stack.healthcheck,
    reach: [target],
    evidence: { ...evidence, reachability: 'required' },
  };
  const world = worldWithActive(pink, { stacks: [{ ...stack, healthcheck }] });
  const scene = openScene(world);
  for (const command of ['prepare', 'onboard', 'provision', 'shutdown'] as const)
    await scene.type(command);
  return { scene, world };
}

export const bad = ['acme/shop', 'acme/web', 'acme/app'] as const;
export { breakJobs, hour, pink, purple, stackOf };
