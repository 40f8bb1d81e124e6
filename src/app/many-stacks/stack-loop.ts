import { setFlagsFromString } from 'node:v8';
import type { CommandExit } from '../../cli/handler-types.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { ErrorData } from '../../ports/log-event.ts';
import type { Program } from '../process-program.ts';

/** Most serious first: operator needed, failed, wrong usage, cancelled, retry later, success. */
const bySeriousness: readonly CommandExit[] = [3, 1, 2, 130, 75, 0];

export interface StackOutcome<T> {
  readonly settings: StackSettings;
  readonly exit: CommandExit;
  /** Absent if the stack ended with an error. */
  readonly value?: T;
  readonly error?: ErrorData;
}

interface Together {
  readonly name: string;
  readonly stacks: readonly StackSettings[];
  /** A cancel leaves no effects. */
  readonly onlyReads?: boolean;
  /** Gets the error of each failed stack; standard error by default. */
  readonly print?: (text: string) => void;
}

/**
 * Number of stacks from which V8 prefers memory to speed. Their waits leave several times more
 * garbage than live data, and V8 collects it late by default.
 */
const stacksThatSpareMemory = 50;

/**
 * Runs the same work for several stacks in parallel. A failure in one stack does not stop the
 * others. Their calls share one budget.
 */
export async function forEachStack<T>(
  program: Pick<Program, 'redactor' | 'showError' | 'signal' | 'typed'>,
  { name, stacks, onlyReads = false, print: reportError = program.showError }: Together,
  work: (settings: StackSettings) => Promise<T>,
): Promise<readonly StackOutcome<T>[]> {
  if (stacks.length >= stacksThatSpareMemory) setFlagsFromString('--optimize-for-size');
  return Promise.all(
    stacks.map(async (settings): Promise<StackOutcome<T>> => {
      try {
        return { settings, exit: 0, value: await work(settings) };
      } catch (error) {
        const { knownError } = await import('../../errors/external-errors.ts');
        const { errorAsData, renderError } = await import('../../errors/render.ts');
        const { presentable } = await import('../../adapters/transport/words/sanitize.ts');
        const of = { command: name, runner: settings.runnerName, isBeside: onlyReads };
        const known = knownError(error, { ...program, ...of });
        const text = renderError(`${name} ${settings.runnerName}`, known.fields);
        reportError(`${presentable(text, program.redactor.redact)}\n`);
        return { settings, exit: known.exitCode, error: errorAsData(known.fields) };
      }
    }),
  );
}

/**
 * Returns a command's result for several stacks as data. If all stacks failed, the result is a
 * refusal, as in every other command.
 */
export function stacksAsData<T>(
  outcomes: readonly StackOutcome<T>[],
  show: (value: T) => object,
): object {
  const stacks = outcomes.flatMap(({ value }) => (value === undefined ? [] : [show(value)]));
  const errors = outcomes.flatMap(({ settings, error }) =>
    error === undefined ? [] : [{ runner_name: settings.runnerName, ...error }],
  );
  const [error] = errors;
  return { ...(stacks.length === 0 && error !== undefined ? { error } : {}), stacks, errors };
}

/** Returns the exit code of each stack as data, with its error if it failed. */
export function exitsAsData(outcomes: readonly StackOutcome<unknown>[]): object {
  const stacks = outcomes.map(({ settings, exit, error }) => ({
    runner_name: settings.runnerName,
    exit_code: exit,
    ...(error === undefined ? {} : { error }),
  }));
  return { stacks };
}

export function mostSerious(outcomes: readonly { readonly exit: CommandExit }[]): CommandExit {
  const found = new Set(outcomes.map(({ exit }) => exit));
  return bySeriousness.find((exit) => found.has(exit)) ?? 0;
}
