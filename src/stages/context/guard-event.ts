import {
  type Guard,
  type GuardName,
  guards,
} from '../../domain/deployment/guards/guard-catalogue.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { GuardEvent, Log } from '../../ports/log-event.ts';
import type { StepResult } from './result.ts';

/**
 * Runs one guard and logs its result. An error of the check is logged and rethrown. A check that
 * ends in a rollback or in a later retry counts as not passed.
 */
export async function withGuardEvent<T>(
  { log }: { readonly log: Log },
  guard: GuardName,
  check: () => Promise<T> | T,
): Promise<T> {
  try {
    const answer = await check();
    log.event({ kind: 'guard', guard, ...outcomeOf(guards[guard], answer) });
    return answer;
  } catch (error) {
    log.event({ kind: 'guard', guard, ...whyNot(guards[guard], error) });
    throw error;
  }
}

function outcomeOf(guard: Guard, answer: unknown): ReturnType<typeof whyNot> {
  const result = answer as StepResult | undefined;
  if (result?.kind === 'retry_later') return whyNot(guard, result.error);
  if (result?.kind !== 'rollback') return { outcome: 'passed' };
  return { outcome: 'unanswered', detail: `rollback: ${result.reason}` };
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
