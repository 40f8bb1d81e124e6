import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { parse } from 'yaml';
import { keyTable, type NamedKey, readKey } from '../../src/domain/keys/key-table.ts';
import { example } from './loading.ts';

const keys = keyTable.map((one) => [one.name, one] as const);

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

/** Generates words, numbers and lists close to valid values, and any others. */
const value = fc.oneof(
  nearlyRight,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.stringMatching(/^\d{1,4}(?:ms|s|m|h|d)$/),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null),
  fc.array(fc.oneof(nearlyRight, fc.string(), fc.integer(), fc.constant(undefined)), {
    maxLength: 60,
  }),
  fc.anything().filter((given) => given !== undefined),
);

describe('a key of the table', () => {
  test.each(keys)('accepts in an editor whatever the program accepts: %s', (_, one) => {
    const accepts = new Ajv({ strict: true }).compile(one.accepts.jsonSchema);
    fc.assert(
      fc.property(value, (given) => {
        const read = readKey(one, given);
        if (read.kind === 'value') expect(accepts(given)).toBe(true);
        else for (const { message } of read.issues) expect(message).toMatch(/^expected /);
      }),
      { numRuns: 150 },
    );
  });

  test.each(keys)('accepts its default: %s', (_, one) => {
    expect(readKey(one, undefined).kind).toBe('value');
  });

  test.each(Object.entries(flat(parse(example).stacks.linux)))(
    'accepts the value of the example: %s',
    (name, given) => {
      expect(readKey(find(name), given).kind).toBe('value');
    },
  );
});

describe('the value of a key', () => {
  test.each([
    ['drain.timeout', '1h30m', 5_400_000],
    ['drain.timeout', 'none', undefined],
    ['gitlab.url', 'https://gitlab.example.com/sub/', 'https://gitlab.example.com/sub'],
    ['registration.tags', ['a', 'b'], ['a', 'b']],
    ['drain.poll', undefined, 1500],
    ['kms_key_id', undefined, undefined],
    ['gitlab.calls_per_minute', 1, 1],
    ['gitlab.calls_per_hour', 15_000, 15_000],
    ['gitlab.calls_per_hour', undefined, undefined],
  ])('follows the type of %s: %j becomes %j', (name, given, expected) => {
    expect(readKey(find(name), given)).toEqual({ kind: 'value', value: expected });
  });

  test.each<[string, unknown, (string | [number, string])[]]>([
    [
      'shards',
      ['Pink', 'a', ' '],
      [
        [0, 'expected a name of 1 to 20 lower-case letters or digits, found "Pink"'],
        [2, 'expected a name of 1 to 20 lower-case letters or digits, found " "'],
        'expected exactly two shards',
      ],
    ],
    ['infrastructure.apply', [], ['expected a command of at least one word, found an empty list']],
    [
      'drain.poll',
      15,
      [
        'expected a duration such as "90s", "15m" or "1h30m", found 15: the unit is missing (ms, s, m, h or d)',
      ],
    ],
    [
      'drain.poll',
      { toString: 1 },
      ['expected a duration such as "90s", "15m" or "1h30m", found a mapping'],
    ],
    ['drain.poll', '90m', ['expected a duration from 100ms to 5m, found "90m" (1h 30m)']],
    [
      'canary.kind',
      'jop',
      ['expected one of job, project, workflow, off, found "jop"; did you mean "job"?'],
    ],
    ['canary.project', 'a'.repeat(256), ['expected a path of at most 255 characters']],
    ...[0, -1, 1.5, '15000', 'none', true].flatMap((given) =>
      ['minute', 'hour'].map((per): [string, unknown, string[]] => [
        `gitlab.calls_per_${per}`,
        given,
        [
          `expected a number of calls from 1 to 10000000 (without the key, the limit that GitLab reports is obeyed), found ${JSON.stringify(given)}`,
        ],
      ]),
    ),
    ['managers', 1.5, ['expected a number from 1 to 50, found 1.5']],
    [
      'bake.jobs',
      901,
      [
        'expected a number from 0 to 900 (only the newest thousand jobs of each status are read, including canaries), found 901',
      ],
    ],
  ])('causes, for %s, every error at once: %j', (name, given, expected) => {
    expect(readKey(find(name), given)).toEqual({
      kind: 'refused',
      issues: expected.map((one) =>
        typeof one === 'string' ? { message: one } : { item: one[0], message: one[1] },
      ),
    });
  });
});

function find(name: string): NamedKey {
  const found = keyTable.find((one) => one.name === name);
  if (found === undefined) throw new RangeError(`There is no key "${name}".`);
  return found;
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
