import type { CommandExit, Handlers } from './handler-types.ts';
import type { TypedCommand } from './option-values.ts';

export interface OptionDefinition {
  /** Flags in help: `--json`, or `--config <file>` with a value. */
  readonly flags: string;
  readonly description: string;
  /** Reads the value, or throws `BadUsage`; absent for a switch and for `choices`. */
  readonly read?: (text: string, from: string) => unknown;
  readonly choices?: readonly string[];
  /** Reason for the value and an example, for an option that is often given without its value. */
  readonly withoutValue?: { readonly why: string; readonly example: string };
  /** The option may be repeated; its value is a list. */
  readonly many?: true;
}

/** Returns `--config` of `--config <file>`. */
export function flagOf({ flags }: Pick<OptionDefinition, 'flags'>): string {
  return flags.split(' ')[0] ?? flags;
}

/** Returns whether the option takes a value, as the parser reads the same flags. */
export function takesValue({ flags }: Pick<OptionDefinition, 'flags'>): boolean {
  return flags.includes('<');
}

/** Definition of a command, from which its help, its parser and all lists of commands follow. */
export interface CommandDefinition {
  readonly name: string;
  /** Phrase for the list of commands. The help adds a capital letter and a full stop. */
  readonly phrase: string;
  readonly group?: string;
  readonly argument?: { readonly name: string; readonly description: string };
  /** Options in the order of the help. */
  readonly options: readonly OptionDefinition[];
  /** Examples without the program's own name. */
  readonly examples: readonly string[];
  readonly inner?: readonly CommandDefinition[];
  /** The command uses no network, so a recording would be empty. */
  readonly isLocal?: true;
  /** A cancel without `--fix` leaves every runner unchanged, as with local commands. */
  readonly touchesNoRunner?: true;
  /** Accepted as input `stage` of the GitHub action. */
  readonly isOfAction?: true;
  /** Internal command: it appears in no help and gets its arguments unchanged. */
  readonly isHidden?: true;
  run(call: CommandCall): Promise<CommandExit>;
}

export interface CommandSetting {
  readonly handlers: Handlers;
  readonly environment: TypedCommand['environment'];
  readonly version: string;
  readonly write: (text: string) => void;
}

/** One command with its options and its environment. */
export interface CommandCall extends CommandSetting, TypedCommand {}
