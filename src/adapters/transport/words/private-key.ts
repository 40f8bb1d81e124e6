import { privateKeyEnd, privateKeyStart } from '../../../domain/text/secret-shapes.ts';

const start = new RegExp(privateKeyStart);
const end = new RegExp(privateKeyEnd);
const mask = '[MASKED]';
/** A key of 16384 bits has some 200 lines; without a last line a log is not hidden for ever. */
const mostLines = 400;

/**
 * Redacts lines that come one after the other: a private key is spread over several, and none between
 * its first and its last looks like a secret by itself.
 */
export function redactLines(redact: (text: string) => string): (line: string) => string {
  let left = 0;
  return (line) => {
    const isInside = left > 0;
    if (start.test(line)) left = mostLines;
    else left = Math.max(0, left - 1);
    const last = end.exec(line);
    if (last !== null) left = 0;
    if (!isInside || start.test(line)) return redact(line);
    return last === null ? mask : `${mask}${redact(line.slice(last.index + last[0].length))}`;
  };
}
