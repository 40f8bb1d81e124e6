import type { Read, Trouble } from '../domain/doctor/stack-facts.ts';
import { endsRun, isPortFailure, type PortFailure } from '../ports/failure.ts';
import type { StageContext } from '../stages/context/context.ts';

/** Reads a source: returns the value with its time, or the reason for its failure. */
export async function readFact<T>(
  { ports: { clock } }: Pick<StageContext, 'ports'>,
  question: () => Promise<T>,
): Promise<Read<T>> {
  try {
    return { kind: 'read', value: await question(), at: clock.elapsed() };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const { source, detail: reason } = error;
    return { kind: 'unknown', trouble: { source, reason, why: whyNot(error), failure: error } };
  }
}

/** Returns the value; throws if the source failed, for reports that need it. */
export function answerOrThrow<T>(read: Read<T>): T {
  if (read.kind === 'unknown') throw read.trouble.failure;
  return read.value;
}

function whyNot(failure: PortFailure): Trouble['why'] {
  if (failure.kind === 'ended' || failure.kind === 'denied') return failure.kind;
  return endsRun(failure) ? 'refused' : 'silent';
}
