import { shellQuoted } from '../domain/text/shell-word.ts';

/** What a shell takes as it stands; everything else is put into quotes. */
const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Of a runner's name, which a command for all stacks was typed without. */
const namesRunner = /^--runner(?:=|$)/;

/**
 * The command as it was typed, for whoever has to type it again: quoted for a shell, without what is
 * secret in it; for one stack, where it is one of several that ended badly.
 */
export function typedCommand(
  argv: readonly string[],
  { redact, runner }: { redact: (text: string) => string; runner?: string },
): string {
  const isNamed = runner === undefined || argv.some((word) => namesRunner.test(word));
  const words = isNamed ? argv : [...argv.filter((word) => word !== '--all'), '--runner', runner];
  // Before it is quoted, because a quote in the middle of a secret would hide the rest of it.
  return ['hosted-runner', ...words.map((word) => shellWord(redact(word)))].join(' ');
}

export function shellWord(word: string): string {
  return plain.test(word) ? word : shellQuoted(word);
}
