import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard } from '../../../src/domain/shard.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { happened } from '../../fakes/world/happened.ts';
import { activeShard, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';

/** Swaps the shards in the status, like an operator at the console in an incident. */
export function turnStatusAround(world: World): void {
  const stack = world.stacks[0] as StackSettings;
  const { status } = parametersOf(stack);
  const active = activeShard(world, stack);
  if (active === undefined || parameterValue(world, status) === undefined) return;
  const named = otherShard(stack.shards, active);
  putParameter(world, { name: status, value: formatStatus(stack.shards, named) });
  happened(world, { kind: 'person', did: `wrote ${named} into the status` });
  absorb(world);
}
