import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard } from '../../../src/domain/shard.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { happened } from '../../fakes/world/happened.ts';
import { activeShard, hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { schedule } from '../../fakes/world/world-event.ts';

/**
 * Schedules an event for every machine of one shard: `serving` for a shard that accepts jobs,
 * `other` for the other shard.
 */
export function happensTo(
  world: World,
  which: 'serving' | 'other',
  inMs: number,
  kind: 'host_dies' | 'agent_lost',
): void {
  const stack = world.stacks[0] as StackSettings;
  const accepting = activeShard(world, stack) ?? stack.shards[0];
  const shard = which === 'serving' ? accepting : otherShard(stack.shards, accepting);
  for (const { id } of hostsOf(world, stack, shard)) schedule(world, inMs, { kind, hostId: id });
}

/**
 * Ends unreachable machines like an operator, because no source can report whether a job still runs
 * there.
 */
export function endUnheardOf(world: World): void {
  for (const host of Object.values(world.hosts))
    if (host.cutOff !== undefined) terminateHost(world, host, 'world');
  happened(world, { kind: 'person', did: 'ended the machines that nobody hears of' });
  absorb(world);
}
