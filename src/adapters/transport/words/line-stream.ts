import { privateKeyEnd, privateKeyStart } from '../../../domain/text/secret-shapes.ts';

/** A line of JSON with all outputs of a module is shorter; a text of more than 512 MB cannot be held. */
const longestLine = 16 * 1024 * 1024;

/** Stands for a line that is too long: the half of a JSON text is no outputs, and may hold a secret. */
export const droppedLine = '(a line of more than 16 MB, which was not read)';

/**
 * Lines that a program prints, as they come. A longer one is dropped as it comes, so that a program without
 * line breaks needs no more memory than one with them; `droppedLine` stands in its place.
 */
export async function* readLines(
  chunks: AsyncIterable<unknown>,
  most = longestLine,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = '';
  let isDropped = false;
  const add = (text: string) => {
    isDropped ||= line.length + text.length > most;
    line = isDropped ? '' : line + text;
  };
  const take = () => {
    const whole = isDropped ? droppedLine : line.replace(/\r$/, '');
    line = '';
    isDropped = false;
    return whole;
  };
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder
      .decode(chunk as Uint8Array, { stream: true })
      .split('\n');
    add(first);
    for (const next of others) {
      yield take();
      add(next);
    }
  }
  add(decoder.decode());
  if (line !== '' || isDropped) yield take();
}

/** The beginning of what a program prints; the rest is read and dropped, because it would block. */
export async function readBeginning(
  chunks: AsyncIterable<unknown>,
  most = longestLine,
): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const part = (chunk as Uint8Array).subarray(0, most - bytes);
    if (part.length > 0) kept.push(part);
    bytes += part.length;
  }
  return Buffer.concat(kept).toString('utf8');
}

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
