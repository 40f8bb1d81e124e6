import { expect, test } from '@jest/globals';
import { createOutputReader } from '../../src/adapters/command/outputs.ts';

function foundIn(lines: readonly string[]) {
  const reader = createOutputReader();
  for (const line of lines) reader.read(line);
  reader.end();
  return reader.found;
}

test.each([
  ['__proto__', '{"__proto__": {"polluted": true}}'],
  ['constructor', '{"constructor": {"prototype": {"polluted": true}}}'],
])('a key %s in a command’s output changes no other object', (_, line) => {
  foundIn([line]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each([
  ['endless depth', [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`]],
  ['depth that never closes', [`{"a":${'{"a":'.repeat(100_000)}`]],
  ['bytes of a binary', ['\u0000\ufffd\u0001{', '\ufffd\ufffd', '}']],
  ['an object of ten megabytes', [`{"a":"${'x'.repeat(10_000_000)}"}`]],
  ['an object that never ends', ['{', ...Array.from({ length: 30_000 }, () => '"a": 1,')]],
])('the reader of outputs survives %s', (_, lines) => {
  expect(() => foundIn(lines)).not.toThrow();
});

test('the reader of outputs holds 16 MB, and prints the lines of a larger object as progress', () => {
  const reader = createOutputReader();
  reader.read('{');
  const shown = [1, 2].flatMap((name) => reader.read(`"${name}": "${'x'.repeat(9e6)}",`));
  expect(shown.map(({ length }) => length)).toEqual([1, 9_000_008, 9_000_008]);
  expect(reader.read('}')).toEqual(['}']);
  expect(reader.found).toBeUndefined();
});
