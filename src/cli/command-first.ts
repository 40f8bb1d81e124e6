import { flagOf, type OptionDefinition, takesValue } from './command.ts';
import { ofHelp, ofProgram } from './command-options.ts';
import { commandNames, commandTable, findCommand } from './commands/command-table.ts';

/** Path of commands at a position of the command line, with its options. */
interface Place {
  readonly at: number;
  readonly path: readonly string[];
  readonly options: readonly OptionDefinition[];
}

/**
 * Moves the command in front of its options, as the rest of the program expects it. Without a
 * command, or with a request for help, the command line stays unchanged.
 */
export function commandFirst(argv: readonly string[]): readonly string[] {
  const before = argv.findIndex((word) => !word.startsWith('-'));
  const flags = before < 0 ? argv : argv.slice(0, before);
  if (flags.length === 0 || flags.some((word) => isOfProgramAlone.test(word))) return argv;
  if (before < 0) return isOnly(argv, '--no-color') ? [] : argv;
  const place = placeIn(argv, before);
  if (place === undefined) return argv;
  const { at, path } = place;
  return [...path, ...argv.slice(0, at), ...argv.slice(at + path.length)];
}

const isOfProgramAlone = /^(?:-h|--help|--version)$/;

function isOnly(argv: readonly string[], flag: string): boolean {
  return argv.every((word) => word === flag);
}

/**
 * Finds the word that names a command and accepts all options in front of it, or else the first
 * word that may be a command.
 */
function placeIn(argv: readonly string[], before: number): Place | undefined {
  const places = argv.flatMap((word, at) => (commandNames.includes(word) ? placeOf(argv, at) : []));
  const taking = places.find(({ at, options }) => areOptions(argv.slice(0, at), options));
  if (taking !== undefined) return taking;
  const isValue = mayTakeValue(argv[before - 1] ?? '');
  return isValue ? undefined : placeOf(argv, before);
}

function placeOf(argv: readonly string[], at: number): Place {
  const [name = '', part = ''] = argv.slice(at);
  const command = findCommand(name);
  const inner = command?.inner?.find((one) => one.name === part);
  const options = inner?.options ?? command?.options ?? [...ofProgram, ...ofHelp];
  return { at, path: inner === undefined ? [name] : [name, part], options };
}

function areOptions(words: readonly string[], options: readonly OptionDefinition[]): boolean {
  let isValue = false;
  for (const word of words) {
    if (isValue) {
      isValue = false;
      continue;
    }
    const [flag = '', value] = word.split('=', 2);
    const option = options.find((one) => flagOf(one) === flag);
    if (option === undefined) return false;
    isValue = takesValue(option) && value === undefined;
  }
  return !isValue;
}

/** Returns whether the option takes a value in any command. */
function mayTakeValue(word: string): boolean {
  const every = commandTable.flatMap(({ options, inner = [] }) => [
    ...options,
    ...inner.flatMap((one) => one.options),
  ]);
  return every.some((option) => takesValue(option) && flagOf(option) === word);
}
