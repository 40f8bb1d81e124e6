import { inShell, shellArgument } from '../domain/text/shell-quoting.ts';
import type { Typed } from '../errors/fix-line.ts';
import { flagOf } from './command.ts';
import { findCommand } from './commands/command-table.ts';

/** Matches the option that a command for all stacks lacks. */
const namesRunner = /^--runner(?:=|$)/;

/** Option that is valid for one moment only: the lock may later have another owner. */
const ofThatMoment = '--take-lock';

/** Reads the parts of the command line that suggested commands must repeat. */
export function readTyped(
  argv: readonly string[],
  {
    command,
    redact,
    canPrompt = false,
    environment = {},
  }: {
    command: string;
    redact: (text: string) => string;
    canPrompt?: boolean;
    environment?: Readonly<Record<string, string | undefined>>;
  },
): Typed {
  const config = configIn(argv);
  const sandboxUrl = environment['HOSTED_RUNNER_SANDBOX_URL'] ?? '';
  return {
    command,
    canPrompt,
    ...(sandboxUrl === '' ? {} : { sandboxUrl }),
    isNamedByVariable: (environment['HOSTED_RUNNER_DEPLOYMENT'] ?? '') !== '',
    again: (runner, instead) => typedCommand(replaced(argv, instead), { redact, runner }),
    ...(config === undefined ? {} : { config: inShell`--config ${redact(config)}` }),
  };
}

/** Returns the last `--config`, which counts in the parser too. */
function configIn(argv: readonly string[]): string | undefined {
  const given = argv.flatMap((word, place) =>
    word === '--config' ? (argv[place + 1] ?? []) : (/^--config=(.*)$/s.exec(word)?.[1] ?? []),
  );
  return given.at(-1);
}

function replaced(
  argv: readonly string[],
  instead: { readonly flag: string; readonly value: string } | undefined,
): readonly string[] {
  if (instead === undefined) return argv;
  const { flag, value } = instead;
  return argv.map((word, place) => {
    if (word.startsWith(`${flag}=`)) return `${flag}=${value}`;
    return argv[place - 1] === flag ? value : word;
  });
}

/**
 * Formats the command line to be typed again: quoted for a shell, without secrets, and for one
 * stack if only that stack failed and the command can name it.
 */
export function typedCommand(
  argv: readonly string[],
  { redact, runner }: { redact: (text: string) => string; runner?: string | undefined },
): string {
  const kept = argv.filter((word) => word !== ofThatMoment);
  const canName = findCommand(argv[0] ?? '')?.options.some((one) => flagOf(one) === '--runner');
  const isNamed =
    runner === undefined || canName === false || argv.some((word) => namesRunner.test(word));
  const words = isNamed ? kept : [...kept.filter((word) => word !== '--all'), '--runner', runner];
  // Redacted before it is quoted: a quote inside a secret would hide its rest from the redactor.
  return ['hosted-runner', ...words.map((word) => shellArgument(redact(word)))].join(' ');
}
