import { type Command, CommanderError } from 'commander';
import { runnerNamePattern } from '../domain/keys/name-patterns.ts';
import { capital } from '../domain/text/capital.ts';
import { printable, show } from '../domain/text/show.ts';
import { suggest } from '../domain/text/suggestion.ts';
import type { DeployError } from '../errors/deploy-error.ts';
import { badUsage } from '../errors/input-errors.ts';
import { flagOf, takesValue } from './command.ts';
import { defineProgram, GivenTwice, type Parsing } from './command-parser.ts';
import { commandNames, findCommand } from './commands/command-table.ts';
import type { CommandExit } from './handler-types.ts';
import { shortHelp } from './help/help.ts';
import { StackMissing } from './option-values.ts';

export interface CommandLine extends Omit<Parsing, 'finish'> {
  /** Arguments without the program's own name. */
  readonly argv: readonly string[];
  /** Removes secrets from printed arguments. */
  readonly redact: (text: string) => string;
}

/**
 * Carries out one command line.
 * @throws DeployError `BadUsage`, and any error of the action
 */
export async function runCommandLine(typedLine: CommandLine): Promise<CommandExit> {
  const commandLine = { ...typedLine, argv: asTyped(typedLine.argv) };
  if (commandLine.argv.length === 0) {
    commandLine.writeError(shortHelp);
    return 2;
  }
  let exit: CommandExit = 0;
  const finish = (reached: CommandExit) => {
    exit = reached;
  };
  const { argv } = commandLine;
  // If the first word names a command, the parser needs no other command.
  const typed = findCommand(argv[0]);
  const program = defineProgram({ ...commandLine, finish }, typed && [typed]);
  if (argv.length === 2 && argv[0] === 'help' && argv[1] === '--all') {
    writeAllHelp(program, program.configureOutput().writeOut);
    return 0;
  }
  await refuseUnknownCommand(commandLine);
  try {
    await program.parseAsync(asHelpOfPart(argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error instanceof StackMissing) throw await stackMissing(commandLine, error);
    if (error.exitCode !== 0) throw await usageError(commandLine, error);
  }
  return exit;
}

/** Prints the help of the program, of each command, and of their inner commands. */
function writeAllHelp(command: Command, write: ((text: string) => void) | undefined): void {
  command.outputHelp();
  for (const inner of command.createHelp().visibleCommands(command)) {
    if (inner.name() === 'help') continue;
    write?.('\n\n');
    writeAllHelp(inner, write);
  }
}

/** Rewrites the help of an inner command, which the parser's own help does not support. */
function asHelpOfPart(argv: readonly string[]): string[] {
  const [first, command, part] = argv;
  if (first !== 'help' || command === undefined || part === undefined) return [...argv];
  return part.startsWith('-') ? [...argv] : [command, part, '--help'];
}

/** Rewrites equivalent command lines: the parser's help accepts no option and not its own name. */
function asTyped(argv: readonly string[]): readonly string[] {
  if (argv.length === 1 && argv[0] === '--') return [];
  if (argv[0] !== 'help') return argv;
  // Help has no colours.
  const words = argv.filter((word) => word !== '--no-color');
  return words.length === 2 && /^(?:help|--help|-h)$/.test(words[1] ?? '') ? ['--help'] : words;
}

/** Returns whether the command prints JSON. The demo's flag `--json` takes a file instead. */
export function wantsJson(argv: readonly string[]): boolean {
  const options = findCommand(argv[0])?.options ?? [];
  return (
    argv.includes('--json') && !options.some((one) => flagOf(one) === '--json' && takesValue(one))
  );
}

/** Returns the name for errors: the command, or the program for an unknown command. */
export function nameOfCommand(argv: readonly string[]): string {
  return commandNames.find((name) => name === argv[0]) ?? 'hosted-runner';
}

/** Returns whether a cancel of the command leaves every runner unchanged. */
export function touchesNothing(name: string, argv: readonly string[]): boolean {
  const { isLocal, touchesNoRunner } = findCommand(name) ?? {};
  return (isLocal === true || touchesNoRunner === true) && !argv.includes('--fix');
}

type Typed = Pick<CommandLine, 'argv' | 'redact'>;

async function refuseUnknownCommand(typed: Typed): Promise<void> {
  const [first = '', second = '-'] = typed.argv;
  if (first === 'help') refuseOptionOfHelp(typed.argv);
  if (!first.startsWith('-')) await refuseUnless(commandNames, typed, 0);
  if (second.startsWith('-')) return;
  if (first === 'help') return refuseUnknownHelp(typed);
  const names = findCommand(first)?.inner?.map(({ name }) => name) ?? [];
  if (names.length > 0) await refuseUnless(names, typed, 1);
}

/** Refuses an unknown option of help, which the parser would ignore. */
function refuseOptionOfHelp([, ...words]: readonly string[]): void {
  const option = words.find((word) => word.startsWith('-') && !optionsOfHelp.includes(word));
  if (option === undefined) return;
  throw badUsage({
    what: `Unknown option ${show(option)}.`,
    fix: [{ text: 'List all commands and their options', command: 'help --all', isAlone: true }],
  });
}

const optionsOfHelp = ['--all', '--help', '-h', '--no-color', '--plain'];

async function refuseUnknownHelp(typed: Typed): Promise<void> {
  const [, command, part = '-'] = typed.argv;
  await refuseUnless(commandNames, typed, 1);
  if (part.startsWith('-')) return;
  const parts = (findCommand(command)?.inner ?? []).filter(({ isHidden }) => isHidden !== true);
  const names = parts.map(({ name }) => name);
  await refuseUnless(names, typed, 2);
}

async function refuseUnless(
  known: readonly string[],
  { argv, redact }: Typed,
  place: number,
): Promise<void> {
  const name = argv[place] ?? '';
  if (known.includes(name)) return;
  const { typedCommand } = await import('./command-text.ts');
  const meant = suggest(name, known);
  throw badUsage({
    what: `There is no command ${show(name)}.`,
    fix: [
      ...(meant === undefined
        ? []
        : [`Did you mean: ${typedCommand(argv.with(place, meant), { redact })}`]),
      { text: 'List all commands', command: '--help', isAlone: true },
    ],
  });
}

/** Most stacks that the error offers to paste; the others are only named. */
const mostOffered = 3;

/** Completes the command line with the name of each stack. */
async function stackMissing(
  { argv, redact, handlers }: CommandLine,
  { message, config }: StackMissing,
): Promise<DeployError> {
  const names = await handlers.listStacks(config);
  const { typedCommand } = await import('./command-text.ts');
  const offered = names
    .slice(0, mostOffered)
    .map((name) => typedCommand([...argv, '--runner', name], { redact }));
  return badUsage({
    what: `${message.replace(/^error: /, '')}.`,
    why:
      names.length === 0
        ? undefined
        : `The configuration has ${names.length === 1 ? 'the stack' : 'the stacks'} ${names.join(', ')}.`,
    fix:
      offered.length > 0
        ? offered
        : ['Name it: --runner NAME', { text: 'Check the configuration', command: 'validate' }],
  });
}

async function usageError({ argv, redact }: Typed, error: CommanderError): Promise<DeployError> {
  const [sentence = '', suggestion] = error.message.replace(/^error: /, '').split('\n(');
  const command = nameOfCommand(argv);
  const help = command === 'hosted-runner' ? '--help' : `${command} --help`;
  const whole = printable(sentence).replace(/\.$/, '');
  const what = whole.length > 300 ? `${whole.slice(0, 300)}…` : whole;
  const typed = { argv, redact };
  const meant = [...(await meantOption(typed, error)), ...(await meantStack(typed, error))];
  const isReported = suggestion === undefined || meant.length > 0;
  const missing = valueMissing(argv, error);
  return badUsage({
    what: `${capital(what)}.`,
    why: missing?.why ?? (isReported ? undefined : printable(suggestion).replace(/\)$/, '')),
    fix: [
      ...(missing === undefined
        ? []
        : [{ text: 'Name the file', command: missing.example, isAlone: true } as const]),
      ...meant,
      ...(error instanceof GivenTwice ? await withOne(typed, error) : []),
      { text: 'Show its options', command: help, isAlone: true },
    ],
  });
}

/** Returns the command line twice, with each of the two values. */
async function withOne({ argv, redact }: Typed, { flag, values }: GivenTwice): Promise<string[]> {
  const { typedCommand } = await import('./command-text.ts');
  const others = argv.filter(
    (word, at) => word !== flag && argv[at - 1] !== flag && !word.startsWith(`${flag}=`),
  );
  return values.map((value, index) => {
    const typed = typedCommand([...others, flag, value], { redact });
    return `Use the ${index === 0 ? 'first' : 'second'}: ${typed}`;
  });
}

function valueMissing(argv: readonly string[], { code, message }: CommanderError) {
  if (code !== 'commander.optionMissingArgument') return undefined;
  const options = findCommand(argv[0])?.options ?? [];
  return options.find(({ flags }) => message.includes(`'${flags}'`))?.withoutValue;
}

/** Corrects an unknown option, such as `--stack`, to the option that was probably meant. */
async function meantOption({ argv, redact }: Typed, error: CommanderError): Promise<string[]> {
  if (error.code !== 'commander.unknownOption') return [];
  const options = (findCommand(argv[0])?.options ?? []).map(flagOf);
  const { typedCommand } = await import('./command-text.ts');
  const meant = argv.map((word) => {
    const [name = '', ...value] = word.split('=');
    const option = name.startsWith('--') && !options.includes(name) && suggest(name, options);
    return option ? [option, ...value].join('=') : word;
  });
  if (meant.join() === argv.join()) return [];
  return [`Did you mean: ${typedCommand(meant, { redact })}`];
}

/** Corrects `deploy linux`: only an option names the stack. */
async function meantStack({ argv, redact }: Typed, error: CommanderError): Promise<string[]> {
  if (error.code !== 'commander.excessArguments') return [];
  const [command = '', name = '', ...others] = argv;
  const takesOne = findCommand(command)?.options.some((one) => flagOf(one) === '--runner');
  const isNamed = others.some((word) => /^--runner(?:=|$)/.test(word));
  const isAlone = others[0]?.startsWith('-') ?? true;
  if (takesOne !== true || isNamed || !isAlone || !runnerNamePattern.test(name)) return [];
  const { typedCommand } = await import('./command-text.ts');
  const line = typedCommand([command, '--runner', name, ...others], { redact });
  return [`Did you mean: ${line}`];
}
