import { describe, expect, test } from '@jest/globals';
import { renderError } from '../../src/errors/render.ts';
import { withoutAddress } from '../support/without-address.ts';
import { load, minimal, problemsOf, refusal, withKeys } from './loading.ts';

/** Behind a dollar sign, what a shell would fill in. */
const braced = '{GITLAB_URL}';

/** Whole files. */
const broken: readonly [string, string, string[]][] = [
  ['an empty file', '', ['1:1: version is missing; write "version: 1"', '1:1: stacks is missing']],
  [
    'a list',
    '- a',
    ['1:1: this is no configuration: it has none of the keys version, defaults and stacks'],
  ],
  [
    'a word',
    'hello',
    ['1:1: this is no configuration: it has none of the keys version, defaults and stacks'],
  ],
  [
    'another version',
    minimal.replace('1', '2'),
    ['1:10: version: expected 1, the only one that this release reads, found 2'],
  ],
  [
    'a version in quotes',
    minimal.replace('1', '"1"'),
    ['1:10: version: expected 1, the only one that this release reads, found "1"'],
  ],
  ['no stack', 'version: 1\nstacks: {}', ['2:1: stacks: there is no stack in it']],
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
    'a variable without quotes, and not for what follows from it',
    minimal.replace(/gitlab:\n.*url:.*/, () => `gitlab: { url: $${braced} }`),
    [
      '3:19: not valid YAML: Unexpected flow-map-start at node end; a value with braces stands in quotes, and variables are not filled in here',
    ],
  ],
  [
    'a variable in quotes, which nobody fills in',
    minimal.replace(/url: .*/, () => `url: "$${braced}"`),
    [
      `4:10: gitlab.url: expected an https:// URL (http:// only for loopback), found "$${braced}"; variables are not filled in here, set HOSTED_RUNNER_GITLAB_URL`,
    ],
  ],
  [
    'a letter in another encoding',
    minimal.replace('tags: [linux]', 'tags: [lin\ufffdx]'),
    ['7:15: this is no text in UTF-8; an editor may have saved it in another encoding'],
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
      '13:3: stacks: "../etc" is no name of 1 to 63 lower-case letters, digits and inner hyphens',
      '14:3: stacks: "Big" is no name of 1 to 63 lower-case letters, digits and inner hyphens',
      '15:3: stacks: "a b" is no name of 1 to 63 lower-case letters, digits and inner hyphens',
      '16:3: stacks: "-x" is no name of 1 to 63 lower-case letters, digits and inner hyphens',
      `17:3: stacks: "${'a'.repeat(60)}…" is no name of 1 to 63 lower-case letters, digits and inner hyphens`,
    ],
  ],
  [
    'what is missing',
    'version: 1\nstacks:\n  linux:\n    registration: {tags: [a]}\n',
    [
      '3:3: stacks.linux: gitlab.url is missing (address of GitLab, without /api/v4)',
      '3:3: stacks.linux: registration.scope is missing (whose jobs the runner takes)',
      '3:3: infrastructure.driver: neither directory (for Terraform) nor apply and destroy (commands of your own) is given',
    ],
  ],
];

describe('a file is refused for', () => {
  test.each(broken)('%s', async (_name, text, problems) => {
    expect(await problemsOf({ text })).toEqual(
      problems.map((problem) => `hosted-runners.yml:${problem}`),
    );
  });

  test('nesting without end', async () => {
    const problems = await problemsOf({ text: `version: ${'['.repeat(20_000)}` });
    expect(problems.length).toBeGreaterThan(0);
  });

  test('aliases that expand to too much', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? 'x' : `*l${level - 1}`;
      return `  - &l${level} [${Array.from({ length: 9 }, () => item).join(', ')}]`;
    });
    const text = withKeys('registration:', '  tags:', ...levels.map((level) => `    ${level}`));
    expect(await problemsOf({ text })).toContain(
      'hosted-runners.yml:14:7: its aliases expand to too much',
    );
  });
});

test('an alias stands for what it names, and its problem is shown where it is used', async () => {
  const text = withKeys('healthcheck: {timeout: &t 15m}', 'drain: {timeout: *t}');
  expect((await load({ text })).stacks.size).toBe(1);
  const wrong = withKeys('healthcheck: {timeout: &t 15x}', 'drain: {timeout: *t}');
  expect((await problemsOf({ text: wrong })).map((line) => line.split(': ')[0])).toEqual([
    'hosted-runners.yml:13:31',
    'hosted-runners.yml:14:22',
  ]);
});

test('a problem of defaults is told once, however many stacks inherit it', async () => {
  const text = minimal.replace('tags: [linux]', 'tags: 3').concat('  windows:\n  mac:\n');
  expect(await problemsOf({ text })).toEqual([
    'hosted-runners.yml:7:11: registration.tags: expected a list of tags, found 3',
  ]);
});

test('all problems come at once: the file from top to bottom, then variables, then flags', async () => {
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
       hosted-runners.yml:15:13: shards: the two shards have to differ, found "a" twice
       HOSTED_RUNNER_DRAIN_POLL: drain.poll: expected a duration such as "90s", "15m" or "1h30m", found "5": the unit is missing (ms, s, m, h or d)
       --set "drain.timeot": unknown key; did you mean "drain.timeout"?
  now  Nothing was touched.
  fix  Correct the file and look again: hosted-runner validate
  ref  InvalidConfiguration · docs/troubleshooting.md#invalidconfiguration`,
  );
  expect(error?.exitCode).toBe(2);
});

test.each([
  [
    'shards: [007, pink]',
    '13:14: shards[0]: 007 is a number to YAML, and would be read as 7; in quotes it is text: "007"',
  ],
  [
    'shards: [1e3, pink]',
    '13:14: shards[0]: 1e3 is a number to YAML, and would be read as 1000; in quotes it is text: "1e3"',
  ],
  [
    'host: {access: 0x1f}',
    '13:20: host.access: 0x1f is a number to YAML, and would be read as 31; in quotes it is text: "0x1f"',
  ],
])('%s is never told to be the other number', async (line, problem) => {
  expect(await problemsOf({ text: withKeys(line) })).toContain(`hosted-runners.yml:${problem}`);
  expect((await problemsOf({ text: withKeys(line) })).join()).not.toContain('found 7');
});

test('a number that is one may be typed as YAML has it', async () => {
  expect((await load({ text: withKeys('managers: 0x3') })).stacks.size).toBe(1);
});

describe('the name of a stack is what was typed', () => {
  const called = (name: string) => minimal.replace('  linux:', `  ${name}:`);

  test.each(['007', '1e3', '0x1f', '0o17', '7', 'true', 'null', '"007"'])('%s', async (name) => {
    const { stacks } = await load({ text: called(name) });
    expect([...stacks.keys()]).toEqual([name.replaceAll('"', '')]);
  });

  test.each([
    ['1.50', '"1.50"'],
    ['~', '"~"'],
    ['+7', '"+7"'],
  ])('also where it is refused: %s', async (name, shown) => {
    expect(await problemsOf({ text: called(name) })).toEqual([
      `hosted-runners.yml:12:3: stacks: ${shown} is no name of 1 to 63 lower-case letters, digits and inner hyphens`,
    ]);
  });

  test('which two stacks cannot share, however it is quoted', async () => {
    const text = `${called('7')}  "7": {}\n`;
    expect(await problemsOf({ text })).toEqual([
      'hosted-runners.yml:13:3: this key is given twice',
    ]);
  });
});
