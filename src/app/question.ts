import { knownError } from '../errors/external-errors.ts';
import type { QuestionPrompt } from '../operator/confirm.ts';
import type { Program } from './process-program.ts';

/**
 * Returns the prompt for the operator; undefined without a terminal. Ctrl-C at the prompt ends the
 * command as usual: the prompt itself does not know the signal and would report a bug.
 */
export function questionOf(
  { prompt, signal, typed }: Pick<Program, 'prompt' | 'signal' | 'typed'>,
  { command, runner }: { readonly command: string; readonly runner: string },
): QuestionPrompt | undefined {
  if (prompt === undefined) return undefined;
  return async (question) => {
    try {
      return await prompt(question);
    } catch (error) {
      throw knownError(error, { signal, command, typed, runner });
    }
  };
}
