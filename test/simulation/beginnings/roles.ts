import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard } from '../../../src/domain/shard.ts';
import { activeShard, parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';

export function stackOf(world: World): StackSettings {
  return world.stacks[0] as StackSettings;
}

export function promoted(world: World) {
  return activeShard(world, stackOf(world)) ?? stackOf(world).shards[0];
}

export function inactive(world: World) {
  return otherShard(stackOf(world).shards, promoted(world));
}

export function tokenOf(world: World): string {
  return parametersOf(stackOf(world)).token(inactive(world));
}
