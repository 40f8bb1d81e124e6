import { expect, test } from '@jest/globals';
import { sanitize, sanitizeLine } from '../../../src/adapters/transport/words/sanitize.ts';

const cases: [string, string, string][] = [
  ['colours', '\x1b[31mred\x1b[0m and \x9b1mbold', 'red and bold'],
  [
    'links and titles',
    '\x1b]8;;https://evil.example\x07click\x1b]8;;\x1b\\ \x1b]0;title\x07',
    'click ',
  ],
  ['an escape that never ends', 'a\x1b]0;title', 'a'],
  ['GitLab sections', '\x1b[0Ksection_start:1560896352:x[collapsed=true]\r\x1b[0KHeader', 'Header'],
  ['the end of a section', 'section_end:1560896353:x\r\x1b[0K', ''],
  ['workflow commands', 'a\n::add-mask::b\n  ::error file=a,line=1::c', 'a\nb\nc'],
  ['old workflow commands', 'x ##[set-output name=a;]b', 'x set-output name=a;]b'],
  ['commands that appear when one is removed', '::debug::::warning::x', 'x'],
  ['a command whose parts an old one divides', ':##[:debug::x', 'x'],
  ['commands that hide behind control characters', '\x00::err\x07or::x', 'x'],
  ['commands after a lone carriage return', 'x\r::error::y', 'x::error::y'],
  ['text that runs backwards', 'a\u202egnp.exe', 'agnp.exe'],
  ['nothing from ordinary text', 'a :: b\n\tc ::d', 'a :: b\n\tc ::d'],
];
test.each(cases)('removes %s', (_, text, clean) => {
  expect(sanitize(text, 100)).toBe(clean);
});

test('cuts with a mark, and halves no character', () => {
  expect(sanitize('abcdef', 4)).toBe('abc…');
  expect(sanitize('ab😀def', 4)).toBe('ab…');
  expect(sanitize('abcd', 4)).toBe('abcd');
});

test('joins several lines into one', () => {
  expect(sanitizeLine('  a\r\n\n b\t c ', 100)).toBe('a b c');
});
