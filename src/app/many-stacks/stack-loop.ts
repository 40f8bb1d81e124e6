import { setFlagsFromString } from 'node:v8';
import type { CommandExit } from '../../cli/handler-types.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { ErrorData } from '../../ports/log-event.ts';
import type { Program } from '../process-program.ts';

/** Most serious first: a person is needed, it failed, it was asked wrongly, cancelled, goes on later. */
const bySeriousness: readonly CommandExit[] = [3, 1, 2, 130, 75, 0];

export interface StackOutcome<T> {
  readonly settings: StackSettings;
  readonly exit: CommandExit;
  /** Absent where it ended in an error. */
  readonly value?: T;
  readonly error?: ErrorData;
}

interface Together {
  readonly name: string;
  readonly stacks: readonly StackSettings[];
  /** Whoever cancels it has left everything as it was. */
  readonly onlyReads?: boolean;
  /** Gets the error of each that ends in one; standard error when not given. */
  readonly tell?: (text: string) => void;
}

/**
 * From so many stacks on, V8 prefers memory to speed. Their waits leave several times more garbage than they
 * use, and V8 collects it late by default.
 */
const stacksThatSpareMemory = 50;

/**
 * The same work for several stacks at once: what one of them ends in keeps none of the others from
 * its own end. Their calls share one budget, so that many wait for their turn.
 */
export async function forEachStack<T>(
  program: Pick<Program, 'redactor' | 'showError' | 'signal' | 'typed'>,
  { name, stacks, onlyReads = false, tell = program.showError }: Together,
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
        tell(`${presentable(text, program.redactor.redact)}\n`);
        return { settings, exit: known.exitCode, error: errorAsData(known.fields) };
      }
    }),
  );
}

/**
 * What a command answers of several stacks, for programs. Where none of them could be looked at it is
 * a refusal, like that of every other command.
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

/** How each stack ended, for programs: its exit code, and the error of one that ended in one. */
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
