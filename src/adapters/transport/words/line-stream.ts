import { privateKeyEnd, privateKeyStart } from '../../../domain/text/secret-shapes.ts';

/**
 * Longest line. JSON with all outputs of a module is shorter, and Node cannot hold a text above 512
 * MB.
 */
const longestLine = 16 * 1024 * 1024;

/**
 * Replaces a line that is too long: half of a JSON text has no outputs, and may contain a secret.
 */
export const droppedLine = '(a line of more than 16 MB, not read)';

/**
 * Reads the lines of a program. A line that is too long becomes `droppedLine`. It is dropped while
 * it arrives, to limit the memory.
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

/**
 * Returns the beginning of a program's output. The rest is read and dropped, because the program
 * would block.
 */
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
/**
 * Longest private key: one of 16384 bits has about 200 lines. The limit keeps a missing last line
 * from hiding the whole log.
 */
const mostLines = 400;

/**
 * Redacts consecutive lines. A private key spans several lines, and those in its middle do not
 * resemble a secret.
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
