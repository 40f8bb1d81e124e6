import { describe, expect, test } from '@jest/globals';
import {
  droppedLine,
  readBeginning,
  readLines,
  redactLines,
} from '../../../src/adapters/transport/words/line-stream.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';

async function* chunksOf(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('lines of a program', () => {
  test.each([
    ['divided anywhere', ['a\nb', 'c\r', '\n\nd'], ['a', 'bc', '', 'd']],
    ['with a line separator in a string', ['a\u2028b\n'], ['a\u2028b']],
    ['with the longest allowed length', ['ab', 'cd\nx'], ['abcd', 'x']],
    ['with a line above the allowed length', ['abc', 'ghi', 'jk\nx'], [droppedLine, 'x']],
    ['with a last line above the allowed length', ['x\nabcde'], ['x', droppedLine]],
  ] as [string, string[], string[]][])('return in full: %s', async (_name, parts, lines) => {
    expect(await collect(readLines(chunksOf(...parts), 4))).toEqual(lines);
  });

  test('keep a letter that two chunks divide', async () => {
    const bytes = Buffer.from('ä\n');
    const lines = readLines(chunksOf(bytes.subarray(0, 1), bytes.subarray(1)));
    expect(await collect(lines)).toEqual(['ä']);
  });

  test('need no more memory for 700 MB than for a short line', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const lines = await collect(readLines(chunksOf(...Array.from({ length: 700 }, () => chunk))));
    expect(lines).toEqual([droppedLine]);
  });

  test('continue to their end, while only the beginning is kept', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const chunks = chunksOf(...Array.from({ length: 700 }, () => chunk));
    expect(await readBeginning(chunks, 1000)).toBe('x'.repeat(1000));
    expect((await chunks.next()).done).toBe(true);
  });
});

describe('a private key on separate lines', () => {
  const { redact } = createRedactor();
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIEow',
    'c2hvcnQ=',
    '-----END RSA PRIVATE KEY-----',
  ];

  test('stays masked from its first line to its last, and no further', () => {
    expect(['before', ...key, 'behind'].map(redactLines(redact))).toEqual([
      'before',
      '[MASKED]',
      '[MASKED]',
      '[MASKED]',
      '[MASKED]',
      'behind',
    ]);
  });

  test('does not hide a log forever if its last line is missing', () => {
    const lines = [...key.slice(0, 2), ...Array.from({ length: 500 }, () => 'an ordinary line')];
    expect(lines.map(redactLines(redact)).at(-1)).toBe('an ordinary line');
  });
});
