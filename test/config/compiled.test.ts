import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { knownKeys } from '../../src/config/keys/compiled-check.ts';
import { compiledKeys } from '../../src/config/keys/compiled-keys.ts';
import { type Leaf, listLeaves } from '../../src/config/keys/leaf.ts';
import { example } from './loading.ts';

const compiled = new Map(knownKeys(compiledKeys).map((key) => [key.name, key]));
const leaves = listLeaves().map((leaf) => [leaf.name, leaf] as const);

const nearlyRight = fc.constantFrom(
  '',
  'none',
  '15m',
  '1h30m',
  '0s',
  '99d',
  '1',
  'pink',
  'required',
  'terraform',
  'https://gitlab.example.com/',
  'https://gitlab.example.com/api/v4',
  'http://127.0.0.1:1/x/',
  'http://127.evil.example',
  '/a/{runner_name}/b/',
  'canary-x',
  'name=value\u0000',
  '{shard}-x*',
  '𝒳'.repeat(40),
);

/** Words, numbers and lists that are near to what keys accept, and whatever else there is. */
const value = fc.oneof(
  nearlyRight,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.stringMatching(/^\d{1,4}(?:ms|s|m|h|d)$/),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  fc.array(fc.oneof(nearlyRight, fc.string(), fc.integer(), fc.constant(undefined)), {
    maxLength: 60,
  }),
  fc.anything(),
);

describe('the compiled keys', () => {
  test('are those of the schema', () => {
    expect([...compiled.values()].map(({ check: _, facts: __, ...key }) => key)).toEqual(
      leaves.map(([, { check: _, facts: __, schema: ___, ...key }]) => key),
    );
  });

  test.each(leaves)('%s accepts nothing that the schema refuses or reads otherwise', (_, leaf) => {
    fc.assert(
      fc.property(value, (given) => agree(leaf, given)),
      { numRuns: 150 },
    );
  });

  test.each(leaves)('%s is as good as without a value in both', (_, leaf) => {
    const without = compiled.get(leaf.name)?.check(undefined);
    expect(without).toEqual(leaf.check(undefined));
    expect(without?.kind).toBe('value');
  });

  test.each(Object.entries(flat(parse(example).stacks.linux)))(
    '%s accepts the value of the example',
    (name, given) => {
      const leaf = listLeaves().find((one) => one.name === name)!;
      expect(compiled.get(leaf.name)?.check(given)).toEqual(leaf.check(given));
    },
  );
});

function agree(leaf: Leaf, given: unknown): void {
  const accepted = compiled.get(leaf.name)?.check(given);
  if (accepted?.kind === 'value') expect(leaf.check(given)).toEqual(accepted);
}

function flat(section: object, before: readonly string[] = []): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(section).map(([name, inner]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? flat(inner, [...before, name])
        : { [[...before, name].join('.')]: inner },
    ),
  );
}
