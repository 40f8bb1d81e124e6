import { flagOf, type OptionDefinition, takesValue } from './command.ts';
import { ofHelp, ofProgram } from './command-options.ts';
import { commandNames, commandTable, findCommand } from './commands/command-table.ts';

/** A path of commands from the front of what was typed, and the options that it takes. */
interface Place {
  readonly at: number;
  readonly path: readonly string[];
  readonly options: readonly OptionDefinition[];
}

/**
 * The command in front of its options, as everything that reads a command line expects it; who types
 * has the choice. Where no command is found, or help is asked for, it is what was typed.
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

/** Where a word names a command that takes all that stands in front of it, or else could be meant as one. */
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

/** Of any command, where it is not known of which. */
function mayTakeValue(word: string): boolean {
  const every = commandTable.flatMap(({ options, inner = [] }) => [
    ...options,
    ...inner.flatMap((one) => one.options),
  ]);
  return every.some((option) => takesValue(option) && flagOf(option) === word);
}
