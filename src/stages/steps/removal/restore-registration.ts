import { withRestoring } from '../../../domain/deployment/original-routing.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { ensureIntake, ensureRouting } from '../../effects/routing.ts';

/**
 * Restores the settings of a runner that an operator created and that was never promoted. It comes
 * last, because jobs could otherwise start on a dying host. It is noted first, so a later run
 * finishes it and makes no second change to the operator's runner.
 */
export async function restoreRegistration(context: StageContext, shard: Shard): Promise<void> {
  const { ports, journal, log } = context;
  const words = wordsOf(context);
  const { registration: id, routingBefore } = shardEntry(journal.current(), shard);
  if (id === undefined || routingBefore === undefined) return;
  const found = await ports.registry.find(id);
  if (found.kind === 'absent') return;
  const { tags, runUntagged, paused, isRestoring } = routingBefore;
  if (tags === undefined) {
    log.warn(
      `Left ${words.registration} ${id} ${words.paused}: it existed before the deployment, but its original ${words.tags} cannot be restored (too long for the record).`,
    );
    return;
  }
  if (isRestoring !== true) {
    const snapshot = await gate(context, shard);
    await journal.write(withRestoring(journal.current(), shard), snapshot);
  } else if (!paused && !found.value.paused) {
    log.act(`Found ${words.registration} ${id} already restored.`);
    return;
  }
  await ensureRouting(context, { shard, id, routing: { tags, runUntagged } });
  await ensureIntake(context, { shard, id, intake: paused ? 'closed' : 'open' });
  log.act(
    `Restored ${words.registration} ${id}: it existed before the deployment, so it is not removed.`,
  );
}

/** Returns whether only an operator's restored runner is left of the shard. */
export function isRestored({ journal }: StageContext, shard: Shard): boolean {
  return shardEntry(journal.current(), shard).routingBefore?.isRestoring === true;
}
