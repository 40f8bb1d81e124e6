import { readTyped } from '../../src/cli/command-text.ts';
import type { CommandToType } from '../../src/domain/text/line-to-type.ts';
import { commandOf, type Typed } from '../../src/errors/fix-line.ts';

/** Returns the command line for a stack, by default with the configuration in the usual place. */
export function typing(command: string, runner = 'linux', ...more: readonly string[]): Typed {
  return readTyped([command, '--runner', runner, ...more], { command, redact: (text) => text });
}

/** Formats commands as after a typed `doctor`. */
export function asTyped(commands: readonly CommandToType[]): string[] {
  return commands.map((one) => commandOf(one, typing('doctor')));
}
