import type { Read, Trouble } from '../../domain/doctor/facts.ts';
import { areOurCredentialsOut, isPortFailure } from '../../ports/failure.ts';

/** What a source says, or why it said nothing. */
export async function ask<T>(question: () => Promise<T>): Promise<Read<T>> {
  try {
    return { kind: 'read', value: await question() };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const denied = error.kind === 'denied' || areOurCredentialsOut(error);
    const trouble: Trouble = { source: error.source, reason: error.detail, denied };
    return { kind: 'unknown', trouble };
  }
}
