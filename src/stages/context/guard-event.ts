import {
  type Guard,
  type GuardName,
  guards,
} from '../../domain/deployment/guards/guard-catalogue.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { GuardEvent, Log } from '../../ports/log-event.ts';

/** Asks one guard and tells its answer; what it refuses with, or fails with, is thrown on. */
export async function withGuardEvent<T>(
  { log }: { readonly log: Log },
  guard: GuardName,
  check: () => Promise<T> | T,
): Promise<T> {
  try {
    const answer = await check();
    log.event({ kind: 'guard', guard, outcome: 'passed' });
    return answer;
  } catch (error) {
    log.event({ kind: 'guard', guard, ...whyNot(guards[guard], error) });
    throw error;
  }
}

function whyNot(
  { codes }: Guard,
  error: unknown,
): Pick<GuardEvent, 'outcome' | 'code' | 'exitCode' | 'detail'> {
  if (isDeployError(error)) {
    const { code, exitCode, fields } = error;
    const outcome = codes.includes(code) ? 'refused' : 'unanswered';
    return { outcome, code, exitCode, detail: fields.what };
  }
  return { outcome: 'unanswered', detail: error instanceof Error ? error.message : String(error) };
}
