import type { Read, Trouble } from '../../domain/doctor/stack-facts.ts';
import { endsRun, isPortFailure, type PortFailure } from '../../ports/failure.ts';

/** What a source says, or why it said nothing. */
export async function readFact<T>(question: () => Promise<T>): Promise<Read<T>> {
  try {
    return { kind: 'read', value: await question() };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const trouble: Trouble = { source: error.source, reason: error.detail, why: whyNot(error) };
    return { kind: 'unknown', trouble };
  }
}

function whyNot(failure: PortFailure): Trouble['why'] {
  if (failure.kind === 'ended' || failure.kind === 'denied') return failure.kind;
  return endsRun(failure) ? 'refused' : 'silent';
}
