import { shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import { ensureIntake, ensureRouting } from '../candidate/routing.ts';
import { type StageContext, wordsOf } from '../walk/context.ts';

/**
 * A registration that a person has made and that was never promoted is not ours to remove: it takes
 * again what it took before. Last of all, because until then jobs could land on a dying host.
 */
export async function giveBack(context: StageContext, shard: Shard): Promise<void> {
  const { ports, log } = context;
  const words = wordsOf(context);
  const { registration: id, routingBefore } = shardEntry(context.journal.current(), shard);
  if (id === undefined || routingBefore === undefined) return;
  if ((await ports.registry.find(id)).kind === 'absent') return;
  const { tags, runUntagged, paused } = routingBefore;
  if (tags === undefined) {
    log.warn(
      `Left ${words.registration} ${id} ${words.paused}: a person has made it, and its own ${words.tags} are longer than the record could keep.`,
    );
    return;
  }
  await ensureRouting(context, { shard, id, routing: { tags, runUntagged } });
  await ensureIntake(context, { shard, id, intake: paused ? 'closed' : 'open' });
  log.act(
    `Gave ${words.registration} ${id} back as it was before: a person has made it, and it is not removed.`,
  );
}
