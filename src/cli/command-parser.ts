import { Command, CommanderError, Option } from 'commander';
import { capital } from '../domain/text/capital.ts';
import { show } from '../domain/text/show.ts';
import {
  type CommandDefinition,
  type CommandSetting,
  flagOf,
  type OptionDefinition,
} from './command.ts';
import { colorOption } from './command-options.ts';
import { commandTable } from './commands/command-table.ts';
import type { CommandExit } from './handler-types.ts';
import { exitCodes } from './help/help.ts';

export interface Parsing extends CommandSetting {
  /** Receives the exit code of the command. */
  readonly finish: (exit: CommandExit) => void;
  readonly writeError: (text: string) => void;
  /** Width of the terminal; absent if lines may have any readable length. */
  readonly columns?: number | undefined;
}

const anywhere = 'Options may also precede the command.';

const programDescription = `Replaces the GitLab runners of a stack on AWS without losing a job.

A stack has two shards, each with a runner and its hosts. The active shard accepts jobs.
A deployment builds the other shard (the candidate), makes it active and removes the old shard.`;

/** A longer line is hard to read. */
const widestHelp = 100;
/** Minimum width of a description beside long names; below it, the parser would not wrap. */
const narrowestDescription = 15;

/** Defines the parser from the table of commands. Each command ends in `finish` or throws. */
export function defineProgram(
  program: Parsing,
  commands: readonly CommandDefinition[] = commandTable,
): Command {
  const { version, write, writeError, columns = widestHelp } = program;
  const helpWidth = Math.min(columns, widestHelp);
  const root = new Command('hosted-runner')
    .description(programDescription)
    .version(version, '--version', 'print the version')
    .addOption(optionOf(colorOption))
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command, or of all commands with --all')
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ showGlobalOptions: false, minWidthToWrap: narrowestDescription })
    .configureOutput({
      writeOut: write,
      writeErr: writeError,
      // The error is also thrown and rendered in the program's own form.
      outputError: () => {},
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const definition of commands) addCommand(root, program, definition, definition.name);
  return root.addHelpText('after', `\n${anywhere}\n${exitCodes}`);
}

function addCommand(
  parent: Command,
  program: Parsing,
  definition: CommandDefinition,
  path: string,
): void {
  const { name, argument, options, inner = [] } = definition;
  const command = parent.command(name, { hidden: definition.isHidden === true });
  if (argument !== undefined) command.argument(argument.name, argument.description);
  for (const option of options) command.addOption(optionOf(option, options));
  command.action(async () => {
    const typed = { given: command.opts(), words: command.args, name, path };
    program.finish(await definition.run({ ...program, ...typed }));
  });
  if (inner.length > 0) command.enablePositionalOptions();
  for (const one of inner) addCommand(command, program, one, `${path} ${one.name}`);
  if (definition.isHidden === true) command.allowUnknownOption().helpOption(false);
  else describe(command, definition);
}

/** Adds the command's texts: a phrase for the list; a sentence and exit codes for its help. */
function describe(command: Command, { phrase, group, examples }: CommandDefinition): void {
  command.summary(phrase).description(`${capital(phrase)}.`);
  if (group !== undefined) command.helpGroup(group);
  if (examples.length > 0) {
    const lines = examples.map((line) => `  $ hosted-runner ${line}`);
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
  command.addHelpText('after', exitCodes);
}

function optionOf(definition: OptionDefinition, beside: readonly OptionDefinition[] = []): Option {
  const { flags, description, read, choices, many } = definition;
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices(choices);
  if (read === undefined && choices === undefined) return option;
  const from = flagOf(definition);
  const choose = option.parseArg;
  let first: string | undefined;
  return option.argParser((text: string, before: unknown) => {
    if (beside.some((one) => flagOf(one) === text)) throw valueMissing(flags);
    const value = read === undefined ? choose?.(text, before) : read(text, from);
    if (many === true) return [...((before as unknown[] | undefined) ?? []), value];
    if (first !== undefined && first !== text) throw new GivenTwice(from, [first, text]);
    first = text;
    return value;
  });
}

/** Error for an option with two values, because the parser would use the last one. */
export class GivenTwice extends CommanderError {
  readonly flag: string;
  readonly values: readonly [string, string];

  constructor(flag: string, values: readonly [string, string]) {
    const [one, other] = values.map(show);
    super(
      2,
      'hosted-runner.givenTwice',
      `error: ${flag} is given twice, with ${one} and with ${other}`,
    );
    this.flag = flag;
    this.values = values;
  }
}

/** Creates the parser's error for a missing value; the parser would take the next option as it. */
function valueMissing(flags: string): CommanderError {
  const message = `error: option '${flags}' argument missing`;
  return new CommanderError(2, 'commander.optionMissingArgument', message);
}
