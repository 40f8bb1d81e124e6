import { describe, expect, test } from '@jest/globals';
import { readName } from '../../../src/adapters/transport/words/name.ts';
import { quote, readMessage } from '../../../src/adapters/transport/words/quote.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { sanitize, sanitizeLine } from '../../../src/adapters/transport/words/sanitize.ts';
import { scrub } from '../../../src/adapters/transport/words/scrub.ts';
import { parseJson } from '../../../src/domain/text/json.ts';
import { wrapLine } from '../../../src/domain/text/width.ts';
import { slowGrowth } from '../../support/growth.ts';
import { sampleOf } from '../../support/sample.ts';

const redactor = createRedactor();
redactor.add('correct-horse-battery-staple');
redactor.add(`${'k9/'.repeat(1000)}\nand a second line`);

const functions: [string, (text: string) => unknown][] = [
  ['redact', redactor.redact],
  ['sanitize', (text) => sanitize(text, 300)],
  ['sanitizeLine', (text) => sanitizeLine(text, 300)],
  ['readName', readName],
  ['readMessage', readMessage],
  ['quote', (text) => quote(text, redactor)],
  ['scrub', (text) => scrub({ text }, redactor.redact)],
  ['parseJson', parseJson],
  ['wrapLine', (text) => wrapLine(text, 80)],
];

const pieces = [
  '<',
  '<title',
  'eyJ',
  'eyJaaaaaaaaa.',
  '::a::',
  '::a ',
  '##[',
  'section_start:0:a[',
  '\x1b[',
  '\x1b]',
  'authorization ',
  'authorization: "\\',
  'AKIA\0',
  'gho_',
  '-----BEGIN A PRIVATE KEY-----',
  '://a:',
  "hosted-runner 'a",
  'hosted-runner \'"',
  '\u2028',
  '\ud83d',
  'password: ',
  'token=',
  '--a-',
  'bearer ',
  '://a1',
  '%41',
  'QUtJQQ',
  '[',
  '"\\',
  ' ',
  'a',
];

describe('the redaction time', () => {
  test.each(functions)('grows no faster than the text in %s', (name, run) => {
    const sample = sampleOf(pieces, (piece) => `${name} ${piece}`);
    const slow = sample.flatMap((piece) => {
      const growth = slowGrowth(run, (length) => `${piece.repeat(length / piece.length)}\u2028x`);
      return growth === undefined ? [] : [{ piece, ...growth }];
    });
    expect(slow).toEqual([]);
  });
});

const long = [
  { start: '…', piece: 'a' },
  { start: 'authorization: "', piece: 'a' },
  { start: 'glpat-', piece: 'a' },
  { start: '', piece: '\\"' },
];
const longTexts = functions.flatMap(([name, run]) => long.map((one) => ({ name, run, ...one })));

// A compiled pattern overflows later than an uncompiled one. 16 MB overflow both.
test.each(sampleOf(longTexts, ({ name, start, piece }) => `${name} ${start}${piece}`))(
  '$name ends without an error on a text of 16 MB: $start, then many $piece',
  ({ run, start, piece }) => {
    const text = `${start}${piece.repeat(16e6 / piece.length)}`;
    expect(() => run(text)).not.toThrow();
  },
);

describe('a body that is nested 20,000 levels deep', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const fields = `${'{"message":'.repeat(3000)}1${'}'.repeat(3000)}`;

  test('does not count as JSON, unlike one of 400 levels', () => {
    expect([parseJson(deep), parseJson(fields)]).toEqual([undefined, undefined]);
    expect(parseJson(`${'['.repeat(400)}${']'.repeat(400)}`)).toBeInstanceOf(Array);
    expect(parseJson(JSON.stringify({ text: '[{'.repeat(1000) }))).toEqual({
      text: '[{'.repeat(1000),
    });
  });

  test.each([deep, fields, `{"message":${'['.repeat(400)}${']'.repeat(400)}}`])(
    'appears in a quote without an error',
    (body) => {
      expect(quote(readMessage(body), redactor).length).toBeLessThanOrEqual(300);
    },
  );
});

describe('commands that form again after a removal', () => {
  test.each([9, 100, 10_000])('disappear, %d levels deep', (levels) => {
    const nested = `${'##'.repeat(levels)}${'['.repeat(levels)}add-mask]`;
    expect(sanitize(nested, Number.POSITIVE_INFINITY)).not.toContain('##[');
    const commands = `${':##['.repeat(levels)}${':add-mask::'.repeat(levels)}`;
    expect(sanitize(commands, Number.POSITIVE_INFINITY)).not.toMatch(/^\s*::[^\s:]/m);
  });

  test('disappear even behind joined halves of characters', () => {
    const tag = '\u{e0041}';
    const nested = `${tag[0]?.repeat(50)}${tag}${tag[1]?.repeat(50)}`;
    expect(sanitize(`a${nested}b`, 100)).toBe('ab');
  });
});
