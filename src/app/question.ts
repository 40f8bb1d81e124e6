import { knownError } from '../errors/external-errors.ts';
import type { QuestionPrompt } from '../operator/confirm.ts';
import type { Program } from './process-program.ts';

/**
 * The question to the person at the terminal; undefined where nobody sits there. Ctrl-C at it ends the
 * command as it does everywhere else: what asks does not know the signal, and would call it a bug.
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
