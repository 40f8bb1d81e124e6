import type { Command } from 'commander';
import type { Actions, CommandExit } from './actions.ts';

/** What every command of the program is defined with. */
export interface Frame {
  readonly actions: Actions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives what the chosen command ended with. */
  readonly finish: (exit: CommandExit) => void;
}

/** Options as commander hands them over, already read by the readers of `arguments.ts`. */
export type Given = Readonly<Record<string, unknown>>;

export function onRun(
  frame: Frame,
  command: Command,
  run: (given: Given, command: Command) => Promise<CommandExit>,
): Command {
  return command.action(async () => {
    frame.finish(await run(command.opts(), command));
  });
}

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ hosted-runner ${line}`).join('\n')}`;
}
