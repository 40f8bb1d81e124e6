import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseSource } from '../../../src/config/layers/document.ts';
import { insertStacks } from '../../../src/config/stack-insertion.ts';

const arm = { name: 'arm', lines: ['arm:', '  tags: [arm] # new', '  # end'] };

function insert(text: string, added = [arm]) {
  const source = parseSource(text);
  if (!('document' in source)) throw new Error('not parsed');
  return insertStacks(text, source, added);
}

/** Returns the text before and after the inserted lines. */
function inserted(text: string): readonly [before: string, added: string, after: string] {
  const result = insert(text);
  if (result.kind === 'refused') throw new Error(result.reason);
  const { length } = result.text;
  let at = 0;
  while (at < text.length && result.text[at] === text[at]) at += 1;
  // Equal characters at the boundary may belong to either side.
  while (!text.endsWith(result.text.slice(length - (text.length - at)))) at -= 1;
  const end = length - (text.length - at);
  return [text.slice(0, at), result.text.slice(at, end), text.slice(at)];
}

const heads = ['', '\ufeff# é 🏃\n', 'version: 1\nothers: { gitlab: { url: x } } # flow\n'];
const bodies = [
  'stacks:\n  linux: {}\n',
  'stacks: # all\n\n  linux:\n    tags: [linux]\n    # run_untagged: false\n',
  'stacks:\n    linux:\n        tags:\n        - a\n        - b # last\n\n    # commented: {}\n',
  'stacks:\n  linux:\n  # a stack without settings\n',
  'stacks:\n  linux:\n    note: |\n      text\n      # no comment\n\n',
  'stacks:\n  linux:\n    note: >-\n      text\n',
  'stacks:\n  linux: &usual\n    tags: [x]\n  windows: *usual\n',
  'stacks:\n  linux: {\n    tags: [a,\n      b] }\n',
  '"stacks":\n  "linux":\n    tags: "a\n      b"\n',
];
const tails = ['', '\n# tail\n', '# tail at once\nlast: 1\n', 'defaults:\n  a: 1 # b\n', '...\n'];
const cases = heads.flatMap((head) =>
  bodies.flatMap((body) => tails.map((tail) => [head, body, tail] as const)),
);

describe('the insertion of a stack', () => {
  test.each(cases)('keeps every other byte of %j, %j, %j', (head, body, tail) => {
    const text = `${head}${body}${tail}`;
    const [before, added, after] = inserted(text);
    expect(before + after).toBe(text);
    const { stacks, ...rest } = parse(before + added + after);
    const { stacks: earlier, ...others } = parse(text);
    expect(rest).toEqual(others);
    expect(stacks).toEqual({ ...earlier, arm: { tags: ['arm'] } });
    expect(Object.keys(stacks).at(-1)).toBe('arm');
    expect(added.match(/# (?:new|end)$/gm)).toHaveLength(2);
  });

  test.each(cases)('keeps every other byte with CRLF of %j, %j, %j', (head, body, tail) => {
    const text = `${head}${body}${tail}`.replaceAll('\n', '\r\n');
    const [before, added, after] = inserted(text);
    expect(before + after).toBe(text);
    expect(added.match(/\n/g)).toHaveLength(3);
    expect(added.match(/\r\n/g)).toHaveLength(3);
    expect(Object.keys(parse(before + added + after).stacks).at(-1)).toBe('arm');
  });

  test('ends the last line of a file that has no line break there', () => {
    const result = insert('stacks:\n  linux: {}');
    expect(result).toEqual({
      kind: 'inserted',
      text: 'stacks:\n  linux: {}\n  arm:\n    tags: [arm] # new\n    # end\n',
    });
  });

  test('uses the indentation of the file', () => {
    const result = insert('stacks:\n    linux:\n        tags: [linux]\n');
    expect(result).toMatchObject({
      text: 'stacks:\n    linux:\n        tags: [linux]\n    arm:\n        tags: [arm] # new\n        # end\n',
    });
  });

  test('follows the comments of the last stack, and precedes the comments of the next key', () => {
    const result = insert('stacks:\n  linux:\n    a: 1\n    # b: 2\n\n# defaults\ndefaults: {}\n');
    expect(result).toMatchObject({
      text: 'stacks:\n  linux:\n    a: 1\n    # b: 2\n  arm:\n    tags: [arm] # new\n    # end\n\n# defaults\ndefaults: {}\n',
    });
  });

  test.each([
    ['stacks: {linux: {}}\n', 'is written in braces, not as one stack below the other'],
    ['stacks:\n  {linux: {}}\n', 'is written in braces, not as one stack below the other'],
    ['stacks:\n', 'contains no stack'],
    ['stacks: [linux]\n', 'contains no stack'],
    ['version: 1\n', 'contains no stack'],
    ['a: &a\n  linux: {}\nstacks: *a\n', 'is an alias'],
    ['stacks:\n  ? linux\n  : {}\n', 'has a last name that does not begin its line'],
    ['{stacks: {linux: {}}}\n', 'is written in braces, not as one stack below the other'],
    ['stacks:\n  linux: *missing\n', 'has a form in which the place of a new stack is unclear'],
    [
      'stacks:\n  linux: {}\n  arm: {}\n',
      'has a form in which the place of a new stack is unclear',
    ],
  ])('names the reason in a refusal: %j, %s', (text, reason) => {
    expect(insert(text)).toEqual({ kind: 'refused', reason });
  });
});
