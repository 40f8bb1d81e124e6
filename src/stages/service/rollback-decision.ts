import { isBaking } from '../../domain/bake/bake-note.ts';
import { shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { findOldProcess } from './rollback-target.ts';

/** Returns whether a bad verdict rolls this deployment back automatically. */
export function hasAutoRollback({ journal, settings }: StageContext): boolean {
  return settings.bake.onUnhealthy === 'rollback' && isBaking(journal.current().deployment);
}

export type RollbackProcess =
  | { readonly kind: 'open'; readonly isStartedAgain: boolean }
  | { readonly kind: 'none'; readonly reason: string };

const processChecks = 3;
const wayPauseMs = 1500;

/**
 * Finds a process for a rollback. Whether it accepts jobs is verified before the switch. A missing
 * process must be found several times, because a read may be stale.
 */
export async function findRollbackProcess(
  context: StageContext,
  retiring: Shard,
): Promise<RollbackProcess> {
  const wait = { clock: context.ports.clock, cadence: { pollMs: wayPauseMs } };
  return pollUntil<RollbackProcess>(wait, async (polls) => {
    const way = await findProcess(context, retiring);
    return way.kind === 'none' && polls < processChecks ? pending() : done(way);
  });
}

async function findProcess(context: StageContext, retiring: Shard): Promise<RollbackProcess> {
  const { journal, ports } = context;
  const { registration, removal } = shardEntry(journal.current(), retiring);
  if (removal !== undefined) return none(`the runners of ${retiring} are being removed`);
  if (registration === undefined || (await ports.registry.find(registration)).kind === 'absent')
    return none(
      `${wordsOf(context).registration} ${registration ?? ''} of ${retiring} no longer exists`,
    );
  const found = await findOldProcess(context, retiring);
  if (found.kind === 'none') return none(found.reason);
  return { kind: 'open', isStartedAgain: found.kind === 'can_be_started' };
}

function none(reason: string): RollbackProcess {
  return { kind: 'none', reason };
}
