import { capital } from '../src/domain/text/capital.ts';
import type { Typed } from '../src/errors/fix-line.ts';

/**
 * Command line of an operator at a terminal. The documents print commands as for this reader, who is
 * prompted before a removal; only a job needs `--yes`.
 */
export const typedAtTerminal: Typed = {
  command: 'doctor',
  again: () => 'hosted-runner doctor',
  canPrompt: true,
};

/** A name, which keeps its first letter. */
const program = 'hosted-runner ';

/** Splits a reason at its semicolons: a document has one fact per sentence. */
export function asSentences(reason: string): string {
  return reason
    .split('; ')
    .map((part) => `${part.startsWith(program) ? part : capital(part)}.`)
    .join(' ');
}
