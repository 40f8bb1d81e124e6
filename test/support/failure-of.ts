import { isPortFailure, type PortFailure } from '../../src/ports/failure.ts';

/** Returns the failure of a call that must fail. Any other result fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<PortFailure> {
  const answer = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in answer) throw new Error(`it was answered: ${JSON.stringify(answer.value)}`);
  if (!isPortFailure(answer.error)) throw answer.error;
  return answer.error;
}
