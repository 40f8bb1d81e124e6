import { isPortFailure } from '../../../ports/failure.ts';

/**
 * A write whose answer may be lost. It is never sent again: `readBack` looks whether its effect is
 * there, and where it is not (yet) to be seen, the failure stands with its effect unknown.
 */
export async function settleLost<T>(
  write: () => Promise<T>,
  readBack: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none') throw error;
    // Whatever becomes of the look, what a person has to know is the write.
    const seen = await readBack().catch(() => undefined);
    if (seen === undefined) throw error;
    return seen;
  }
}
