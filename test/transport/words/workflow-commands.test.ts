import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import {
  presentable,
  sanitize,
  sanitizeLine,
} from '../../../src/adapters/transport/words/sanitize.ts';

/** Every space, control, invisible mark and reordering character of Unicode. */
const strange = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) =>
    /[\p{White_Space}\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufeff]/u.test(
      character,
    ),
  );
const named = strange.map(
  (character) => [`U+${character.codePointAt(0)?.toString(16)}`, character] as const,
);

/**
 * Reads a command like actions/runner (src/Runner.Common/ActionCommand.cs). A line is trimmed at
 * its start by .NET's white space, begins with `::`, has another `::`, and its first word is a
 * command. Comparisons there ignore characters without weight. `##[…]` is found anywhere.
 */
function commandOf(line: string): string | undefined {
  const weighty = line.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, (character) =>
    /\s|\u0085/.test(character) ? character : '',
  );
  const old = /##\[([^\]]*)\]/.exec(line)?.[1];
  if (old !== undefined) return old;
  const text = weighty.replace(/^[\s\u0085]+/, '');
  const end = text.indexOf('::', 2);
  if (!text.startsWith('::') || end < 0) return undefined;
  return text.slice(2, end).split(' ')[0]?.toLowerCase();
}
const known = ['error', 'warning', 'notice', 'debug', 'add-mask', 'stop-commands', 'set-output'];
const isCommanded = (text: string) =>
  text.split(/\r\n|\r|\n/).some((line) => known.includes(commandOf(line) ?? ''));

describe('output lines on GitHub', () => {
  test('contain no workflow command behind any text', () => {
    const through = named.filter(([, character]) =>
      [
        `${character}::error::x`,
        `a\n${character} ::add-mask::x`,
        `${character}${character}::debug::`,
      ]
        .map((text) => sanitize(text, 1000))
        .some(isCommanded),
    );
    expect(through.map(([name]) => name)).toEqual([]);
  });

  test('contain no hidden workflow command', () => {
    const through = named.filter(([, character]) =>
      [`:${character}:error::x`, `::err${character}or::x`, `#${character}#[error]x`]
        .map((text) => sanitize(text, 1000))
        .some(isCommanded),
    );
    expect(through.map(([name]) => name)).toEqual([]);
  });

  test('contain no workflow command, however it is composed', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '::',
        ':',
        '##[',
        '#',
        '[',
        ']',
        ' ',
        '\n',
        '\r',
        'error',
        'add-mask',
        ' a=b,c=',
      ),
      fc.constantFrom(...strange),
      fc.constantFrom(...known),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(isCommanded(sanitize(pieces.join(''), 1000))).toBe(false);
        expect(sanitizeLine(pieces.join(''), 1000)).not.toMatch(/[\r\n\u2028\u2029\u0085]/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a secret that is cut in two by other text', () => {
  const redactor = createRedactor();
  redactor.add('correct-horse-battery');
  const spaces = /[\p{White_Space}]/u;

  test.each([
    ['a registered secret', 'correct-', 'horse-battery'],
    ['a token by its form', 'glpat-AbCdEf', 'GhIjKlMnOpQr'],
    ['the key of AWS', 'AKIAABCDEFGH', 'IJKLMNOP'],
  ])('stays masked, whatever invisible mark divides it: %s', (_, head, tail) => {
    const through = named
      .filter(([, character]) => !spaces.test(character) || /[\p{Cc}]/u.test(character))
      .filter(([, character]) => !'\n\t'.includes(character))
      // Visible format characters are excluded, such as an Arabic number sign.
      .filter(([, character]) => !/[\p{Cf}]/u.test(character) || isHidden(character))
      .filter(([, character]) =>
        presentable(`${head}${character}${tail}`, redactor.redact).includes(tail),
      );
    expect(through.map(([name]) => name)).toEqual([]);
  });
});

const isHidden = (character: string) =>
  /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u.test(character);
