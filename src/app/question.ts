import { knownError } from '../errors/external-errors.ts';
import type { QuestionPrompt } from '../operator/confirm.ts';
import type { Program } from './process-program.ts';

/**
 * Returns the prompt for the operator; undefined without a terminal. Ctrl-C at the prompt ends the
 * command as usual: the prompt itself does not know the signal and would report a bug.
 */
export function questionOf(
  { ask, signal, typed }: Pick<Program, 'ask' | 'signal' | 'typed'>,
  { command, runner }: { readonly command: string; readonly runner: string },
): QuestionPrompt | undefined {
  if (ask === undefined) return undefined;
  return async (question) => {
    try {
      return await ask(question);
    } catch (error) {
      throw knownError(error, { signal, command, typed, runner });
    }
  };
}
