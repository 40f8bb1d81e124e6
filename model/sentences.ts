import { capital } from '../src/domain/text/capital.ts';

/** Splits a reason at its semicolons: a document has one fact per sentence. */
export function asSentences(reason: string): string {
  return reason
    .split('; ')
    .map((part) => `${capital(part)}.`)
    .join(' ');
}
