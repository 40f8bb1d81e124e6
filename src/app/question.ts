import { promptOperator } from '../adapters/system/terminal-question.ts';
import { knownError } from '../errors/external-errors.ts';
import type { QuestionPrompt } from '../operator/confirm.ts';
import type { Program } from './process-program.ts';

type TerminalOutput = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Opens the prompts of a program. Each is absent unless its input and output are terminals. */
export function openPrompts({
  input,
  stdout,
  stderr,
  signal,
  cancel,
}: {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly signal: AbortSignal;
  /** Cancels the program; the argument names the cause. */
  readonly cancel: (cause: string) => void;
}): Pick<Program, 'prompt' | 'promptForValue'> {
  const promptAt = (output: TerminalOutput) => (question: string) =>
    promptOperator(question, { input, output, signal, onInterrupt: () => cancel('SIGINT') });
  const prompt: Program['prompt'] = async (question) => (await promptAt(stdout)(question)) ?? '';
  const promptForValue: Program['promptForValue'] = async (question) => {
    const answer = await promptAt(stderr)(question);
    if (answer !== undefined) return answer;
    cancel('the end of the input');
    throw signal.reason;
  };
  return {
    ...(input.isTTY && stdout.isTTY ? { prompt } : {}),
    ...(input.isTTY && stderr.isTTY ? { promptForValue } : {}),
  };
}

/**
 * Returns the prompt for the operator; undefined without a terminal. Ctrl-C at the prompt ends the
 * command as usual: the prompt itself does not know the signal and would report a bug.
 */
export function questionOf(
  {
    prompt,
    signal,
    typed,
  }: Pick<Program, 'signal' | 'typed'> & {
    readonly prompt?: Program['prompt'] | undefined;
  },
  request: {
    readonly command: string;
    readonly runner?: string;
    /** The command changes no stack. */
    readonly isBeside?: true;
  },
): QuestionPrompt | undefined {
  if (prompt === undefined) return undefined;
  return async (question) => {
    try {
      return await prompt(question);
    } catch (error) {
      throw knownError(error, { signal, typed, ...request });
    }
  };
}
