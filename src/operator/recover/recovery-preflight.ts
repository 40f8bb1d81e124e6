import type { StageContext } from '../../stages/context/context.ts';
import { requireNoHold } from '../../stages/effects/effect-gate.ts';
import { readLockHolding } from '../../stages/record/lock/lock-holding.ts';
import { judgeLockOwner } from '../lock-status.ts';
import type { Recovery } from './method-choice.ts';
import { agreeTo, chooseFor, isOnlyFinished, readOpenRecord } from './recover.ts';

/**
 * A person is asked before the lock is taken, so that nobody waits for an answer; and where nobody
 * can agree it is refused, by reads alone. What passes is judged once more under the lock, and asked
 * about once more only if it has become another thing.
 */
export async function refuseRecovery(context: StageContext, recovery: Recovery): Promise<void> {
  // What is done is said under the lock, once; whoever is asked sees it before.
  const canPrompt = recovery.consent.kind !== 'given';
  const looking = canPrompt ? context : { ...context, log: { ...context.log, act: () => {} } };
  await requireNoHold(looking);
  const record = await readOpenRecord(looking);
  if ('kind' in record || isOnlyFinished(record, recovery)) return;
  const chosen = await chooseFor(looking, record, { ...recovery, isDryRun: true });
  if (!canPrompt) return;
  if (recovery.consent.kind === 'asked' && (await isWorkedOn(context))) return;
  await agreeTo(context, { ...chosen, recovery });
}

/** Nobody is asked about what somebody else is at: the lock says who. */
async function isWorkedOn(context: StageContext): Promise<boolean> {
  const word = await readLockHolding(context);
  return word.kind === 'owned' && (await judgeLockOwner(context, word.owner)).kind === 'alive';
}
