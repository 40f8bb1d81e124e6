import { type StackShard, shardDescription } from '../../../src/domain/shard.ts';
import { stateLocked } from '../../../src/errors/terraform-errors.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { World } from '../world/world.ts';

/** `infrastructure.lock_timeout` */
const lockTimeoutMs = 300_000;

/** Waits for the state's lock. A running tool holds the lock even after its run has ended. */
export async function takeStateLock(world: World, clock: Clock, shard: StackShard): Promise<void> {
  const description = shardDescription(shard);
  const isLocked = () =>
    world.events.some(
      ({ event }) =>
        event.kind === 'effect_arrives' &&
        event.port === 'infrastructure' &&
        shardDescription(event.args[0] as StackShard) === description,
    );
  for (let waitedMs = 0; isLocked(); waitedMs += 5000) {
    if (waitedMs >= lockTimeoutMs)
      throw stateLocked({
        runner: shard.runnerName,
        shard: shard.shard,
        binary: 'terraform',
        lock: {
          id: 'b1c2',
          owner: { who: 'ci@runner', since: '2026-11-02 08:00:00 UTC', operation: 'apply' },
          reason: '',
        },
        directory: `infrastructure/${shard.shard}`,
        dataDirectory: '.terraform',
      });
    await clock.sleep(5000);
  }
}
