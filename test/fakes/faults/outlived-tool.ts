import { type StackShard, shardDescription } from '../../../src/domain/shard.ts';
import type { InfrastructurePlan } from '../../../src/ports/infrastructure.ts';
import { terminateHost } from '../hosts/hosts.ts';
import { buildInfrastructure, managedHosts, replacedBy } from '../ports/infrastructure-fake.ts';
import type { World } from '../world/world.ts';

/**
 * Completes an apply or destroy whose run has ended. The remaining changes happen at one moment.
 * Until then, the Terraform state shows none of them and is locked.
 */
export function completeTool(
  world: World,
  method: string,
  [shard, plan]: readonly [StackShard, InfrastructurePlan?],
): void {
  const description = shardDescription(shard);
  const managers = managedHosts(world, shard);
  if (method === 'destroy') {
    for (const host of managers) terminateHost(world, host, 'us');
    delete world.infrastructure[description];
    world.history.push({ at: world.now, kind: 'destroyed', description, resources: 0 });
    return;
  }
  if (plan === undefined || plan.kind === 'empty') return;
  const replaced = replacedBy(plan).flatMap((index) => managers[index] ?? []);
  for (const host of replaced) terminateHost(world, host, 'us');
  buildInfrastructure(world, shard);
  const state = world.infrastructure[description];
  if (state !== undefined) state.revision = world.behaviour.revision;
  world.history.push({ at: world.now, kind: 'applied', description, changes: 1 });
}
