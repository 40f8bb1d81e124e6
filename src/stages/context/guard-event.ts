import {
  type Guard,
  type GuardName,
  guards,
} from '../../domain/deployment/guards/guard-catalogue.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { GuardEvent, Log } from '../../ports/log-event.ts';
import { isRollback } from './result.ts';

/**
 * Asks one guard and logs its answer. An error of the check is logged and thrown on; a check that ends in a
 * rollback has not passed.
 */
export async function withGuardEvent<T>(
  { log }: { readonly log: Log },
  guard: GuardName,
  check: () => Promise<T> | T,
): Promise<T> {
  try {
    const answer = await check();
    log.event({ kind: 'guard', guard, ...outcomeOf(answer) });
    return answer;
  } catch (error) {
    log.event({ kind: 'guard', guard, ...whyNot(guards[guard], error) });
    throw error;
  }
}

function outcomeOf(answer: unknown): Pick<GuardEvent, 'outcome' | 'detail'> {
  if (!isRollback(answer)) return { outcome: 'passed' };
  return { outcome: 'unanswered', detail: `rollback: ${answer.reason}` };
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
