import { describe, expect, test } from '@jest/globals';
import { renderError } from '../../src/errors/render.ts';
import { withoutAddress } from '../support/without-address.ts';
import { load, minimal, problemsOf, refusal, withKeys } from './loading.ts';

/** Reference to a variable in a form that a shell would expand. */
const braced = '{GITLAB_URL}';

/** Broken files with the expected problems. */
const broken: readonly [string, string, string[]][] = [
  ['an empty file', '', ['1:1: version is missing; write "version: 1"', '1:1: stacks is missing']],
  [
    'a list',
    '- a',
    ['1:1: the file is not a configuration: it has none of the keys version, defaults and stacks'],
  ],
  [
    'a string',
    'hello',
    ['1:1: the file is not a configuration: it has none of the keys version, defaults and stacks'],
  ],
  [
    'another version',
    minimal.replace('1', '2'),
    ['1:10: version: expected 1, the only version that this release supports, found 2'],
  ],
  [
    'a version in quotes',
    minimal.replace('1', '"1"'),
    ['1:10: version: expected 1, the only version that this release supports, found "1"'],
  ],
  ['no stack', 'version: 1\nstacks: {}', ['2:1: stacks: expected at least one stack, found none']],
  [
    'an unknown section',
    `${minimal}defalts: {}\n`,
    ['13:1: unknown key "defalts"; did you mean "defaults"?'],
  ],
  [
    'an open bracket',
    'version: [',
    [
      '1:11: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ],
  [
    'a tab',
    'version: 1\nstacks:\n\tlinux:',
    ['3:1: a tab indents this line; YAML allows spaces only'],
  ],
  [
    'a variable without quotes, without errors that follow from it',
    minimal.replace(/gitlab:\n.*url:.*/, () => `gitlab: { url: $${braced} }`),
    [
      '3:19: not valid YAML: Unexpected flow-map-start at node end; put a value with braces in quotes; variables are not expanded here',
    ],
  ],
  [
    'a variable in quotes, which is not expanded',
    minimal.replace(/url: .*/, () => `url: "$${braced}"`),
    [
      `4:10: gitlab.url: expected an https:// URL (http:// only for loopback), found "$${braced}"; variables are not expanded here, set HOSTED_RUNNER_GITLAB_URL`,
    ],
  ],
  [
    'a letter in another encoding',
    minimal.replace('tags: [linux]', 'tags: [lin\ufffdx]'),
    ['7:15: the file is not UTF-8 text; an editor may have saved it in another encoding'],
  ],
  [
    'two documents',
    'version: 1\n---\nversion: 1\n',
    ['2:1: the file has more than one document; `---` starts the second'],
  ],
  [
    'names of stacks',
    `${minimal}  ../etc: {}\n  Big: {}\n  a b: {}\n  -x: {}\n  ${'a'.repeat(64)}: {}\n`,
    [
      '13:3: stacks: "../etc" is not a name of 1 to 63 lower-case letters, digits and inner hyphens',
      '14:3: stacks: "Big" is not a name of 1 to 63 lower-case letters, digits and inner hyphens',
      '15:3: stacks: "a b" is not a name of 1 to 63 lower-case letters, digits and inner hyphens',
      '16:3: stacks: "-x" is not a name of 1 to 63 lower-case letters, digits and inner hyphens',
      `17:3: stacks: "${'a'.repeat(60)}…" is not a name of 1 to 63 lower-case letters, digits and inner hyphens`,
    ],
  ],
  [
    'every missing key',
    'version: 1\nstacks:\n  linux:\n    registration: {tags: [a]}\n',
    [
      '3:3: stacks.linux: gitlab.url is missing (address of GitLab, without /api/v4)',
      '3:3: stacks.linux: registration.scope is missing (scope of the runner in GitLab)',
      '3:3: infrastructure.driver: set either directory (for Terraform), or apply and destroy (your own commands)',
    ],
  ],
];

describe('a faulty file', () => {
  test.each(broken)('causes an error: %s', async (_name, text, problems) => {
    expect(await problemsOf({ text })).toEqual(
      problems.map((problem) => `hosted-runners.yml:${problem}`),
    );
  });

  test('causes an error for endless nesting', async () => {
    const problems = await problemsOf({ text: `version: ${'['.repeat(20_000)}` });
    expect(problems.length).toBeGreaterThan(0);
  });

  test('causes an error for aliases that expand to too much', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? 'x' : `*l${level - 1}`;
      return `  - &l${level} [${Array.from({ length: 9 }, () => item).join(', ')}]`;
    });
    const text = withKeys('registration:', '  tags:', ...levels.map((level) => `    ${level}`));
    expect(await problemsOf({ text })).toContain(
      'hosted-runners.yml:14:7: its aliases expand to too many values',
    );
  });
});

test('shows the problem of an alias at the place of its use', async () => {
  const text = withKeys('healthcheck: {timeout: &t 15m}', 'drain: {timeout: *t}');
  expect((await load({ text })).stacks.size).toBe(1);
  const wrong = withKeys('healthcheck: {timeout: &t 15x}', 'drain: {timeout: *t}');
  expect((await problemsOf({ text: wrong })).map((line) => line.split(': ')[0])).toEqual([
    'hosted-runners.yml:13:31',
    'hosted-runners.yml:14:22',
  ]);
});

test('shows a problem of `defaults` once, however many stacks inherit it', async () => {
  const text = minimal.replace('tags: [linux]', 'tags: 3').concat('  windows:\n  mac:\n');
  expect(await problemsOf({ text })).toEqual([
    'hosted-runners.yml:7:11: registration.tags: expected a list of tags, found 3',
  ]);
});

test('shows all problems at once: the file from top to bottom, then variables, then flags', async () => {
  const error = await refusal(() =>
    load({
      text: withKeys('managers: 0', 'colour: blue', 'shards: [a, a]'),
      environment: { HOSTED_RUNNER_DRAIN_POLL: '5' },
      overrides: ['drain.timeot=3m'],
    }),
  );
  expect(withoutAddress(renderError('validate', error!.fields))).toBe(
    `✖ validate: The configuration hosted-runners.yml has 5 problems.
  why  hosted-runners.yml:13:15: managers: expected a number from 1 to 50, found 0
       hosted-runners.yml:14:5: stacks.linux: unknown key "colour"
       hosted-runners.yml:15:13: shards: the two shards must differ, found "a" twice
       HOSTED_RUNNER_DRAIN_POLL: drain.poll: expected a duration such as "90s", "15m" or "1h30m", found "5": the unit is missing (ms, s, m, h or d)
       --set "drain.timeot": unknown key; did you mean "drain.timeout"?
  now  Nothing was touched.
  fix  Correct the file and check it again: hosted-runner validate
  ref  InvalidConfiguration · docs/troubleshooting.md#invalidconfiguration`,
  );
  expect(error?.exitCode).toBe(2);
});

test.each([
  [
    'shards: [007, pink]',
    '13:14: shards[0]: 007 is a number in YAML and would be read as 7; quote it to keep the text: "007"',
  ],
  [
    'shards: [1e3, pink]',
    '13:14: shards[0]: 1e3 is a number in YAML and would be read as 1000; quote it to keep the text: "1e3"',
  ],
  [
    'host: {access: 0x1f}',
    '13:20: host.access: 0x1f is a number in YAML and would be read as 31; quote it to keep the text: "0x1f"',
  ],
])(
  'the error about %s shows the text of the file, not the converted number',
  async (line, problem) => {
    expect(await problemsOf({ text: withKeys(line) })).toContain(`hosted-runners.yml:${problem}`);
    expect((await problemsOf({ text: withKeys(line) })).join()).not.toContain('found 7');
  },
);

test('a number may be written in any form of YAML', async () => {
  expect((await load({ text: withKeys('managers: 0x3') })).stacks.size).toBe(1);
});

describe('the name of a stack', () => {
  const called = (name: string) => minimal.replace('  linux:', `  ${name}:`);

  test.each(['007', '1e3', '0x1f', '0o17', '7', 'true', 'null', '"007"'])(
    'stays as typed: %s',
    async (name) => {
      const { stacks } = await load({ text: called(name) });
      expect([...stacks.keys()]).toEqual([name.replaceAll('"', '')]);
    },
  );

  test.each([
    ['1.50', '"1.50"'],
    ['~', '"~"'],
    ['+7', '"+7"'],
  ])('appears as typed in an error: %s', async (name, shown) => {
    expect(await problemsOf({ text: called(name) })).toEqual([
      `hosted-runners.yml:12:3: stacks: ${shown} is not a name of 1 to 63 lower-case letters, digits and inner hyphens`,
    ]);
  });

  test('cannot occur twice, however it is quoted', async () => {
    const text = `${called('7')}  "7": {}\n`;
    expect(await problemsOf({ text })).toEqual([
      'hosted-runners.yml:13:3: this key is given twice',
    ]);
  });
});
