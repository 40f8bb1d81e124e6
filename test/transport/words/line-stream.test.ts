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
    ['with a line separator in a text', ['a\u2028b\n'], ['a\u2028b']],
    ['as long as may be held', ['ab', 'cd\nx'], ['abcd', 'x']],
    ['that are longer than may be held', ['abc', 'ghi', 'jk\nx'], [droppedLine, 'x']],
    ['of which the last is longer than may be held', ['x\nabcde'], ['x', droppedLine]],
  ] as [string, string[], string[]][])('are read: %s', async (_name, parts, lines) => {
    expect(await collect(readLines(chunksOf(...parts), 4))).toEqual(lines);
  });

  test('keep a letter that two chunks divide', async () => {
    const bytes = Buffer.from('ä\n');
    const lines = readLines(chunksOf(bytes.subarray(0, 1), bytes.subarray(1)));
    expect(await collect(lines)).toEqual(['ä']);
  });

  test('of 700 MB need no more memory than a short one', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const lines = await collect(readLines(chunksOf(...Array.from({ length: 700 }, () => chunk))));
    expect(lines).toEqual([droppedLine]);
  });

  test('are read to the end, and only their beginning is kept', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const chunks = chunksOf(...Array.from({ length: 700 }, () => chunk));
    expect(await readBeginning(chunks, 1000)).toBe('x'.repeat(1000));
    expect((await chunks.next()).done).toBe(true);
  });
});

describe('a private key on lines of its own', () => {
  const { redact } = createRedactor();
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIEow',
    'c2hvcnQ=',
    '-----END RSA PRIVATE KEY-----',
  ];

  test('is masked from its first line to its last, and nothing behind it', () => {
    expect(['before', ...key, 'behind'].map(redactLines(redact))).toEqual([
      'before',
      '[MASKED]',
      '[MASKED]',
      '[MASKED]',
      '[MASKED]',
      'behind',
    ]);
  });

  test('without a last line does not hide a log for ever', () => {
    const lines = [...key.slice(0, 2), ...Array.from({ length: 500 }, () => 'an ordinary line')];
    expect(lines.map(redactLines(redact)).at(-1)).toBe('an ordinary line');
  });
});
