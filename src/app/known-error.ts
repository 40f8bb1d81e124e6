import type { DeployError } from '../errors/deploy-error.ts';
import { asDeployError, cancelled } from '../errors/outside.ts';

/** What ended a command, in the words of the catalogue: a cancel is known by the signal that it came from. */
export function knownError(
  thrown: unknown,
  { signal, command, again }: { signal: AbortSignal | undefined; command: string; again: string },
): DeployError {
  const isCancel = signal?.aborted === true && thrown === signal.reason;
  return isCancel ? cancelled(command, again) : asDeployError(thrown, again);
}
