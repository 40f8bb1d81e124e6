import { refuseAsOther } from '../../domain/deployment/guards/shard-membership.ts';
import type { Shard } from '../../domain/shard.ts';
import type { Registration } from '../../ports/registry.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { readSwitchedStatus } from '../observe/observe.ts';
import { observeShards, warnOfContradiction } from '../observe/shard/shard-view.ts';

/**
 * Rejects a recorded runner that belongs to the other shard, before it is paused: otherwise no
 * shard would accept jobs.
 * @throws DeployError `FactsContradict`
 */
export async function requireOwnRegistration(
  context: StageContext,
  shard: Shard,
  registration: Registration,
): Promise<void> {
  const { settings } = context;
  const reason = refuseAsOther({ registration, shard, settings, words: wordsOf(context) });
  if (reason !== undefined) throw await warnOfForeignRegistration(context, reason);
}

/** Creates the error `FactsContradict` with the values of all sources. */
export async function warnOfForeignRegistration(context: StageContext, reason: string) {
  const status = await readSwitchedStatus(context);
  const views = await observeShards(context);
  return warnOfContradiction(context, { found: { kind: 'contradiction', reason }, status, views });
}
