import { endPipelines } from '../../broken-stacks/state.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import type { World } from '../../fakes/world/world.ts';
import { type Command, drive } from '../../stages/drive.ts';

/**
 * Reaches a stack with pink active and purple built, after `times` failed health checks of purple.
 */
export async function failed(
  times: number,
  boot: BootBehaviour,
  driver = 'command',
  managers = 1,
): Promise<World> {
  const world = worldWithActive(pink, {
    stacks: [stackSettings({ managers })],
    behaviour: { boots: { 'purple-linux': Array(managers).fill(boot) } },
  });
  if (driver === 'terraform') {
    const [stack] = world.stacks;
    if (stack !== undefined)
      world.stacks[0] = {
        ...stack,
        infrastructure: { ...stack.infrastructure, driver: 'terraform' } as never,
      };
  }
  const simulation = createSimulation({ world });
  const stages: Command[] = ['prepare', 'onboard', ...Array<Command>(times).fill('provision')];
  for (const [index, stage] of stages.entries())
    await drive(simulation, stage, { deploymentId: '1-200', jobId: `${stage} ${index}` });
  endPipelines(world);
  return world;
}
