import { withRestoring } from '../../../domain/deployment/original-routing.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { ensureIntake, ensureRouting } from '../../effects/routing.ts';

/**
 * A registration that a person has made and that was never promoted is not ours to remove: it takes
 * again what it took before. Last of all, because until then jobs could land on a dying host. Noted
 * before, so that a run that dies in here has its next one finish it, and take nothing back: what is
 * open again is theirs, whatever they have made of it since.
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
      `Left ${words.registration} ${id} ${words.paused}: a person has made it, and its own ${words.tags} are longer than the record could keep.`,
    );
    return;
  }
  if (isRestoring !== true) {
    const snapshot = await gate(context, shard);
    await journal.write(withRestoring(journal.current(), shard), snapshot);
  } else if (!paused && !found.value.paused) {
    log.act(`Found that ${words.registration} ${id} was given back already.`);
    return;
  }
  await ensureRouting(context, { shard, id, routing: { tags, runUntagged } });
  await ensureIntake(context, { shard, id, intake: paused ? 'closed' : 'open' });
  log.act(
    `Gave ${words.registration} ${id} back as it was before: a person has made it, and it is not removed.`,
  );
}

/** Whether nothing of a shard is left but a person's registration, which is theirs from here on. */
export function isRestored({ journal }: StageContext, shard: Shard): boolean {
  return shardEntry(journal.current(), shard).routingBefore?.isRestoring === true;
}
