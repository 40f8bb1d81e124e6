import type { StackSettings } from '../../../src/domain/settings.ts';
import type { StackShard } from '../../../src/domain/shard.ts';
import type { InfrastructurePlan } from '../../../src/ports/infrastructure.ts';
import { absorb } from '../invariants/checker.ts';
import { createCanaryFake } from '../ports/canary-fake.ts';
import { createInstancesFake, createInventoryFake } from '../ports/cloud-fakes.ts';
import { createParametersFake } from '../ports/parameters-fake.ts';
import { createRegistryFake } from '../ports/registry/registry-fake.ts';
import { createRunnerHostFake } from '../ports/runner-host-fake.ts';
import { happened } from '../world/happened.ts';
import type { World } from '../world/world.ts';
import { type LateCall, schedule } from '../world/world-event.ts';
import { completeTool } from './outlived-tool.ts';

export function leaveUnderWay(
  world: World,
  { port, method, args, deploymentId }: LateCall,
  afterMs: number,
): void {
  const late = { port, method, args: structuredClone(args), deploymentId };
  schedule(world, afterMs, { kind: 'effect_arrives', ...late });
}

/**
 * Executes a request from an earlier time. No run can prevent it any more, so it counts as no
 * effect of the current run. Its consequences are checked.
 */
export function arrive(world: World, { port, method, args, deploymentId }: LateCall): void {
  happened(world, { kind: 'person', did: `an earlier ${port}.${method} arrived` });
  if (port === 'infrastructure')
    completeTool(world, method, args as readonly [StackShard, InfrastructurePlan?]);
  else arriveAt(world, { port, method, args, deploymentId });
  absorb(world);
}

/** Clock for effects on a host that wait for nothing. */
const noWait = { elapsed: () => 0, sleep: () => new Promise<void>(() => undefined) };

function arriveAt(world: World, { port, method, args, deploymentId }: LateCall): void {
  const stack = world.stacks[0] as StackSettings;
  const ports: Record<string, object> = {
    parameters: createParametersFake(world),
    registry: createRegistryFake(world),
    canary: createCanaryFake(world, stack, deploymentId),
    host: createRunnerHostFake(world, noWait),
    instances: createInstancesFake(world),
    inventory: createInventoryFake(world),
  };
  const fake = ports[port] as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
  // The request may be refused by now, and no caller receives the response.
  fake[method]?.(...args).catch(() => undefined);
}
