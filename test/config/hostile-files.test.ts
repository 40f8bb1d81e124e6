import { describe, expect, test } from '@jest/globals';
import { example, problemsOf } from './loading.ts';

describe('a file that expands beyond memory, or that nests without end', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    .concat(
      Array.from({ length: 9 }, (_, level) => {
        const aliases = Array.from({ length: 10 }, () => `*a${level}`).join(', ');
        return `a${level + 1}: &a${level + 1} [${aliases}]`;
      }),
    )
    .map((line) => `  ${line}\n`)
    .join('');
  const anchors = `locked:\n${bomb}`;

  test.each([
    ['stacks', 'version: 1\nstacks: *a9\n', 'stacks: expected keys, found a list'],
    [
      'defaults',
      'version: 1\ndefaults: *a9\nstacks: {}\n',
      'defaults: expected keys, found a list',
    ],
    ['a stack', 'version: 1\nstacks:\n  linux: *a9\n', 'stacks.linux: expected keys, found a list'],
    [
      'a key',
      'version: 1\nstacks:\n  linux: {shards: *a9}\n',
      'its aliases expand to too many values',
    ],
    ['version', 'version: *a9\nstacks: {}\n', 'version: expected 1'],
    [
      'a section',
      'version: 1\nstacks:\n  linux: {drain: *a9}\n',
      'stacks.linux.drain: expected keys, found a list',
    ],
  ])('causes an error with its place: %s', async (_name, text, problem) => {
    expect((await problemsOf({ text: `${anchors}${text}` })).join('\n')).toContain(problem);
  });

  test.each([
    ['lists', `version: 1\nstacks: ${'['.repeat(5000)}${']'.repeat(5000)}\n`],
    ['mappings', `version: 1\nstacks: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}\n`],
    ['a value', `version: 1\nstacks: {linux: {shards: ${'['.repeat(3000)}${']'.repeat(3000)}}}\n`],
    ['an alias of itself', 'version: 1\nstacks: &a {linux: *a}\n'],
    ['a list of itself', 'version: 1\nstacks: {linux: {shards: &a [*a]}}\n'],
    ['merge keys', 'version: 1\nstacks: &a {<<: *a}\n'],
    ['an alias without anchor', 'version: 1\nstacks: *nothing\n'],
  ])('causes an error: %s', async (_name, text) => {
    expect(await problemsOf({ text })).not.toEqual([]);
  });
});

describe('a value of a wrong type', () => {
  const wrong = [
    'null',
    '7',
    '.nan',
    'text',
    'true',
    '[]',
    '{}',
    '[[]]',
    '{a: b}',
    '? [a]',
    '!!binary x',
  ];
  const lines = example.split('\n');
  const places = lines.flatMap((line, index) => (/^\s*[\w-]+: \S/.test(line) ? [index] : []));

  test('causes an error with a place, or a valid file, at every position', async () => {
    for (const place of places) {
      for (const value of wrong) {
        const text = lines
          .with(place, (lines[place] ?? '').replace(/: .*/, `: ${value}`))
          .join('\n');
        const found = await problemsOf({ text });
        expect(found.filter((line) => !/^hosted-runners\.yml:\d+:\d+: /.test(line))).toEqual([]);
      }
    }
    expect(places.length).toBeGreaterThan(10);
  });
});
