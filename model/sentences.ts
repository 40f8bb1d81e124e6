import { capital } from '../src/domain/text/capital.ts';

/** A name, which keeps its first letter. */
const program = 'hosted-runner ';

/** Splits a reason at its semicolons: a document has one fact per sentence. */
export function asSentences(reason: string): string {
  return reason
    .split('; ')
    .map((part) => `${part.startsWith(program) ? part : capital(part)}.`)
    .join(' ');
}
