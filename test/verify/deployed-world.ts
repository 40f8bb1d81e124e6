import { emptyWorld, type WorldOptions } from '../fakes/builders.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { startStream } from '../fakes/world/jobs.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive } from '../stages/drive.ts';

/** Jobs of a pipeline, in order. */
export const pipeline: readonly Command[] = ['prepare', 'provision', 'shutdown', 'cleanup'];

export const secondId = '1-200';

const minute = 60_000;

/** Returns a world after its first deployment, under a stream of customer jobs. */
export async function deployedWorld(options: WorldOptions = {}): Promise<World> {
  const world = emptyWorld(options);
  for (const stage of pipeline) {
    const jobId = `${stage} ${world.now} ${world.counters.random}`;
    const ending = await drive(createSimulation({ world }), stage, {
      deploymentId: '1-100',
      jobId,
    });
    if (ending.kind === 'error') throw ending.error;
  }
  startStream(world, {
    everyMs: 17_000,
    durationsMs: [5000, 20_000, 90_000],
    tags: ['linux'],
    visible: true,
    project: 'customers/shop',
    count: 60,
  });
  await createSimulation({ world }).advance(10 * minute);
  return world;
}
