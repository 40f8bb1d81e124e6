import { isPortFailure } from '../../../ports/failure.ts';

/**
 * Runs a write whose response may be lost, and never repeats it. `readBack` checks for its effect.
 * Without a visible effect, the failure stands with its effect unknown.
 */
export async function settleLost<T>(
  write: () => Promise<T>,
  readBack: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none') throw error;
    // A failed check is ignored: the operator needs the failure of the write.
    const seen = await readBack().catch(() => undefined);
    if (seen === undefined) throw error;
    return seen;
  }
}
