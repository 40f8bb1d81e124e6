import { inShell, shellArgument } from '../domain/text/shell-quoting.ts';
import type { Typed } from '../errors/fix-line.ts';

/** Of a runner's name, which a command for all stacks was typed without. */
const namesRunner = /^--runner(?:=|$)/;

/** A person's word for one moment: whoever owned the lock then is not who owns it later. */
const ofThatMoment = '--take-lock';

/** The command that was typed, and what of it another one has to be given. */
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
  return {
    command,
    canPrompt,
    isNamedByVariable: (environment['HOSTED_RUNNER_DEPLOYMENT'] ?? '') !== '',
    again: (runner) => typedCommand(argv, { redact, runner }),
    ...(config === undefined ? {} : { config: inShell`--config ${redact(config)}` }),
  };
}

/** The last one counts, as for who reads the command line. */
function configIn(argv: readonly string[]): string | undefined {
  const given = argv.flatMap((word, place) =>
    word === '--config' ? (argv[place + 1] ?? []) : (/^--config=(.*)$/s.exec(word)?.[1] ?? []),
  );
  return given.at(-1);
}

/**
 * The command as it was typed, for whoever has to type it again: quoted for a shell, without what is
 * secret in it; for one stack, where it is one of several that ended badly.
 */
export function typedCommand(
  argv: readonly string[],
  { redact, runner }: { redact: (text: string) => string; runner?: string | undefined },
): string {
  const kept = argv.filter((word) => word !== ofThatMoment);
  const isNamed = runner === undefined || argv.some((word) => namesRunner.test(word));
  const words = isNamed ? kept : [...kept.filter((word) => word !== '--all'), '--runner', runner];
  // Before it is quoted, because a quote in the middle of a secret would hide the rest of it.
  return ['hosted-runner', ...words.map((word) => shellArgument(redact(word)))].join(' ');
}
