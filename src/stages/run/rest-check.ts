import type { ErrorCode } from '../../domain/error-codes.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { StageContext } from '../context/context.ts';
import { readLockWord } from '../record/lock/lock-word.ts';

/** True whatever the record says. */
const saidAtOnce: ReadonlySet<ErrorCode> = new Set(['Held', 'Cancelled']);

/**
 * Before the lock: what `look` refuses is said only of a stack at rest. Where somebody has the lock the
 * record is being written, and a read of it may be older than what the lock's last owner has seen: then
 * nothing is refused here, and the lock says who is at work, or the same is asked again under it.
 *
 * @throws DeployError what `look` has thrown
 */
export async function refuseAtRest(
  context: StageContext,
  look: () => Promise<unknown>,
): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!isDeployError(error) || saidAtOnce.has(error.code)) throw error;
    if (await isAtRest(context)) throw error;
  }
}

/**
 * The lock is read after the record: free by then, nobody has written what was not read. Every read counts:
 * the refusal may rest on the first one, and a later one may be current.
 */
async function isAtRest(context: StageContext): Promise<boolean> {
  const lock = await readLockWord(context);
  return lock.kind === 'free' && context.journal.lowestVersion() >= lock.record;
}
