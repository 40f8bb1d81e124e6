import type { Read, Trouble } from '../domain/doctor/stack-facts.ts';
import { fromPortFailure } from '../errors/external-errors.ts';
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
    // Without any credentials, the environment is incomplete: that is no fact about the stack.
    if (!isPortFailure(error) || error.credentials === 'absent') throw error;
    const { source, detail: reason } = error;
    const fix = actionOf(error);
    const trouble = { source, reason, why: whyNot(error), failure: error };
    return { kind: 'unknown', trouble: fix === undefined ? trouble : { ...trouble, fix } };
  }
}

/** Returns the value; throws if the source failed, for reports that need it. */
export function answerOrThrow<T>(read: Read<T>): T {
  if (read.kind === 'unknown') throw read.trouble.failure;
  return read.value;
}

function whyNot(failure: PortFailure): Trouble['why'] {
  const { kind } = failure;
  if (kind === 'ended' || kind === 'denied' || kind === 'unexpected') return kind;
  return endsRun(failure) ? 'refused' : 'silent';
}

/**
 * Returns the error catalogue's first action for a missing or unexpected response, without a full
 * stop. Other failures have their own findings, or only a retry helps.
 */
function actionOf(failure: PortFailure): string | undefined {
  if (failure.kind !== 'unreachable' && failure.kind !== 'unexpected') return undefined;
  const [action] = fromPortFailure(failure, '').fields.fix ?? [];
  return typeof action === 'string' ? action.replace(/\.$/, '') : undefined;
}
