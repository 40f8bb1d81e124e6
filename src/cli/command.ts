import type { CommandExit, Handlers } from './handler-types.ts';
import type { TypedCommand } from './option-values.ts';

/** An option of a command, as its help shows it. */
export interface OptionDefinition {
  /** As help shows it: `--json`, or `--config <file>` of what takes a value. */
  readonly flags: string;
  readonly description: string;
  /** Absent for a switch, and for one of the `choices`. Throws `BadUsage`. */
  readonly read?: (text: string, from: string) => unknown;
  readonly choices?: readonly string[];
  /** Of one that is easily typed without its value: why it takes one, and a command that has it. */
  readonly withoutValue?: { readonly why: string; readonly example: string };
  /** May be repeated; its value is a list. */
  readonly many?: true;
}

/** `--config` of `--config <file>`. */
export function flagOf({ flags }: Pick<OptionDefinition, 'flags'>): string {
  return flags.split(' ')[0] ?? flags;
}

/** Whether a value follows, by what the parser reads the same flags as. */
export function takesValue({ flags }: Pick<OptionDefinition, 'flags'>): boolean {
  return flags.includes('<');
}

/** What a command is: its help, its reading and what is known of it elsewhere come from here. */
export interface CommandDefinition {
  readonly name: string;
  /** A phrase for the list of commands; with a capital letter and a full stop it is a sentence. */
  readonly phrase: string;
  readonly group?: string;
  readonly argument?: { readonly name: string; readonly description: string };
  /** In the order of its help. */
  readonly options: readonly OptionDefinition[];
  /** Without the program's own name. */
  readonly examples: readonly string[];
  readonly inner?: readonly CommandDefinition[];
  /** It reaches no network, so that there is nothing to record. */
  readonly isLocal?: true;
  /** Without `--fix`, a cancel of it leaves every runner as it was; so does whatever is local. */
  readonly touchesNoRunner?: true;
  /** What the input stage of GitHub's action may say. */
  readonly isOfAction?: true;
  /** Not for people: it is shown nowhere and gets its arguments as they are. */
  readonly isHidden?: true;
  run(call: CommandCall): Promise<CommandExit>;
}

/** What commands are carried out with. */
export interface CommandSetting {
  readonly handlers: Handlers;
  readonly environment: TypedCommand['environment'];
  readonly version: string;
  readonly write: (text: string) => void;
}

/** One command as it was typed, and who carries it out. */
export interface CommandCall extends CommandSetting, TypedCommand {}
