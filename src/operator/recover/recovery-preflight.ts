import type { StageContext } from '../../stages/context/context.ts';
import { requireNoHold } from '../../stages/effects/effect-gate.ts';
import { readLockHolding } from '../../stages/record/lock/lock-holding.ts';
import { judgeLockOwner } from '../lock-status.ts';
import type { Recovery } from './method-choice.ts';
import { agreeTo, chooseFor, isOnlyFinished, readOpenRecord } from './recover.ts';

/**
 * Checks and confirms a recovery before the lock is taken: no other run must wait for the
 * operator's answer. Without a terminal, it is refused by reads alone. Under the lock the plan is
 * checked again, and confirmed again only if it has changed.
 */
export async function refuseRecovery(context: StageContext, recovery: Recovery): Promise<void> {
  // Completed acts are logged once, under the lock. An operator who must confirm sees them earlier.
  const canPrompt = recovery.consent.kind !== 'given';
  const checkContext = canPrompt ? context : { ...context, log: { ...context.log, act: () => {} } };
  await requireNoHold(checkContext);
  const record = await readOpenRecord(checkContext);
  if ('kind' in record || isOnlyFinished(record, recovery)) return;
  const chosen = await chooseFor(checkContext, record, { ...recovery, isDryRun: true });
  if (!canPrompt) return;
  if (recovery.consent.kind === 'asked' && (await isWorkedOn(context))) return;
  await agreeTo(context, { ...chosen, recovery });
}

/** Decides whether another run holds the lock: its error then replaces the prompt. */
async function isWorkedOn(context: StageContext): Promise<boolean> {
  const word = await readLockHolding(context);
  return word.kind === 'owned' && (await judgeLockOwner(context, word.owner)).kind === 'alive';
}
