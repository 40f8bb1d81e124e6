import { describe, expect, test } from '@jest/globals';
import { renderError } from '../../src/errors/render.ts';
import { load, minimal, problemsOf, refusal, withKeys } from './loading.ts';

/** Keys of the stack, from line 13 on, and the lines that refuse them. */
const refused: readonly [string, string[], string[]][] = [
  [
    'a duration without a unit',
    ['drain: {timeout: "15"}'],
    [
      '13:22: drain.timeout: expected a duration such as "90s", "15m" or "1h30m", found "15": the unit is missing (ms, s, m, h or d)',
    ],
  ],
  [
    'a number as a duration',
    ['drain: {timeout: 15}'],
    [
      '13:22: drain.timeout: expected a duration such as "90s", "15m" or "1h30m", found 15: the unit is missing (ms, s, m, h or d)',
    ],
  ],
  [
    'a negative duration',
    ['drain: {timeout: "-1m"}'],
    ['13:22: drain.timeout: expected a duration such as "90s", "15m" or "1h30m", found "-1m"'],
  ],
  [
    'a word as a duration',
    ['drain: {timeout: abc}'],
    ['13:22: drain.timeout: expected a duration such as "90s", "15m" or "1h30m", found "abc"'],
  ],
  [
    'a fraction as a duration',
    ['drain: {timeout: 1.5h}'],
    ['13:22: drain.timeout: expected a duration such as "90s", "15m" or "1h30m", found "1.5h"'],
  ],
  [
    'a duration out of bounds',
    ['drain: {force_after: 29s}'],
    ['13:26: drain.force_after: expected a duration from 30s to 30d, found "29s" (29s)'],
  ],
  [
    'a duration beyond its bounds',
    ['drain:', '  force_after: 31d'],
    ['14:20: drain.force_after: expected a duration from 30s to 30d, found "31d" (31d)'],
  ],
  [
    'a duration larger than numbers',
    [`drain: {timeout: ${'9'.repeat(20)}d}`],
    [`13:22: drain.timeout: expected a duration from 1s to 30d, found "${'9'.repeat(20)}d"`],
  ],
  [
    'none where a duration is needed',
    ['healthcheck: {timeout: none}'],
    [
      '13:28: healthcheck.timeout: expected a duration such as "90s", "15m" or "1h30m", found "none"',
    ],
  ],
  [
    'an unknown key, with a suggestion',
    ['drain:', '  timeot: 15m'],
    ['14:7: stacks.linux.drain: unknown key "timeot"; did you mean "timeout"?'],
  ],
  [
    'an unknown key that nothing is near to',
    ['colour: blue'],
    ['13:5: stacks.linux: unknown key "colour"'],
  ],
  [
    'keys that every object has',
    ['constructor: {}', '__proto__: {managers: 3}', 'drain: {toString: 1}'],
    [
      '13:5: stacks.linux: unknown key "constructor"',
      '14:5: stacks.linux: unknown key "__proto__"',
      '15:13: stacks.linux.drain: unknown key "toString"',
    ],
  ],
  [
    'a merge key',
    ['<<: {managers: 2}'],
    ['13:5: stacks.linux: unknown key "<<"; merge keys are not read, use defaults'],
  ],
  ['a key given twice', ['managers: 1', 'managers: 2'], ['14:5: this key is given twice']],
  [
    'a key without a value',
    ['managers:'],
    ['13:14: managers: no value; give it one or remove the key'],
  ],
  [
    'a value where keys belong',
    ['drain: 15m'],
    ['13:12: stacks.linux.drain: expected keys, found "15m"'],
  ],
  [
    'a word out of a choice, with a suggestion',
    ['host: {access: run_comand}'],
    [
      '13:20: host.access: expected one of run_command, none, found "run_comand"; did you mean "run_command"?',
    ],
  ],
  [
    'the driver that comes later',
    ['infrastructure: {driver: terraform}'],
    [
      '13:30: infrastructure.driver: expected "command", found "terraform": this release does not drive Terraform itself yet; name the commands that do',
    ],
  ],
  [
    'a text as a boolean',
    ['registration: {locked: yes}'],
    ['13:28: registration.locked: expected true or false, found "yes"'],
  ],
  [
    'a text as a number',
    ['managers: two'],
    ['13:15: managers: expected a number from 1 to 50, found "two"'],
  ],
  [
    'numbers out of range',
    ['managers: 0', 'host: {listen_port: 65536}'],
    [
      '13:15: managers: expected a number from 1 to 50, found 0',
      '14:25: host.listen_port: expected a port from 1 to 65535, found 65536',
    ],
  ],
  [
    'a command that is one text',
    ['infrastructure: {apply: ./up {shard}}'].map(() => 'infrastructure: {apply: "./up {shard}"}'),
    [
      '13:29: infrastructure.apply: expected a list of words such as ["./deploy", "{shard}"] (no shell reads it), found "./up {shard}"',
    ],
  ],
  [
    'an empty command',
    ['infrastructure: {apply: []}'],
    ['13:29: infrastructure.apply: expected a command of at least one word, found an empty list'],
  ],
  [
    'commands that name no shard',
    ['infrastructure: {apply: [up], destroy: [down], outputs: [show]}'],
    [
      '13:29: infrastructure.apply: {shard} does not appear, so it would touch both shards',
      '13:44: infrastructure.destroy: {shard} does not appear, so it would touch both shards',
      '13:61: infrastructure.outputs: {shard} does not appear, so it would touch both shards',
    ],
  ],
  [
    'a misspelt placeholder',
    ['infrastructure: {apply: [up, "{shrd}", "{runer_name}"]}'],
    [
      '13:29: infrastructure.apply: unknown placeholder {shrd}; did you mean {shard}?',
      '13:29: infrastructure.apply: unknown placeholder {runer_name}; did you mean {runner_name}?',
    ],
  ],
  [
    'tags that a job could not name, each at its place',
    ['registration:', '  tags: ["a b", fine, "a,b", "", canary-x, "a\\nb"]'],
    [14, 27, 34, 38, 48].map((column, index) => {
      const [item, found] = [
        [0, '"a b"'],
        [2, '"a,b"'],
        [3, '""'],
        [4, '"canary-x"'],
        [5, '"a\\nb"'],
      ][index] as [number, string];
      return `14:${column}: registration.tags[${item}]: expected a tag without spaces, commas and control characters that does not begin with "canary-", found ${found}`;
    }),
  ],
  [
    'a tag given twice',
    ['registration: {tags: [a, b, a]}'],
    ['13:26: registration.tags: "a" is given twice'],
  ],
  [
    'a runner that no job could reach',
    ['registration: {tags: []}'],
    [
      '13:26: registration.tags: without tags and without run_untagged no job could ever reach the runner',
    ],
  ],
  [
    'a group without its id',
    ['registration: {scope: group}'],
    ['13:27: registration.scope: scope group needs registration.group_id'],
  ],
  [
    'the id of another scope',
    ['registration: {scope: project, project_id: 3, group_id: 4}'],
    ['13:61: registration.group_id: only goes with scope group, and the scope is project'],
  ],
  [
    'a canary project without its path',
    ['canary: {kind: project}'],
    ['13:20: canary.kind: kind project needs canary.project'],
  ],
  [
    'a canary project that is not used',
    ['canary: {project: acme/canary}'],
    ['13:23: canary.project: only goes with kind project, and the kind is job'],
  ],
  [
    'a canary that is required and off',
    ['canary: {kind: off}', 'healthcheck: {evidence: {canary: required}}'],
    [
      '14:38: healthcheck.evidence.canary: required, but canary.kind is off, so there is no canary that could prove anything',
    ],
  ],
  [
    'evidence of a host that nobody can ask',
    ['host: {access: none}', 'healthcheck: {evidence: {host: required, workload: required}}'],
    [
      '14:36: healthcheck.evidence.host: required, but host.access is none, so nobody can ask the host',
      '14:56: healthcheck.evidence.workload: required, but host.access is none, so nobody can ask the host',
    ],
  ],
  [
    'every kind of evidence off',
    ['canary: {kind: off}', 'healthcheck:', '  evidence: {instance: off, manager: off, host: off}'],
    [
      '15:42: healthcheck.evidence.manager: every kind of evidence is off, so nothing could ever prove a candidate healthy',
    ],
  ],
  [
    'killing jobs on a host that nobody can reach',
    ['host: {access: none}', 'drain: {force_after: 1h}'],
    ['14:26: drain.force_after: killing jobs needs host.access run_command'],
  ],
  [
    'the same shard twice',
    ['shards: [pink, pink]'],
    ['13:13: shards: the two shards have to differ, found "pink" twice'],
  ],
  ['one shard', ['shards: [pink]'], ['13:13: shards: expected exactly two shards']],
  [
    'a shard that is no plain word',
    ['shards: [pink, Pur-ple]'],
    ['13:20: shards[1]: expected a name of 1 to 20 lower-case letters or digits, found "Pur-ple"'],
  ],
  [
    'a prefix that two stacks would share',
    ['parameter_prefix: /gitlab/runner/'],
    [
      '13:23: parameter_prefix: expected a path such as /gitlab/dedicated/runner/{runner_name}/, with {runner_name} as one part and a slash at its end, found "/gitlab/runner/"',
    ],
  ],
  [
    'a prefix that AWS keeps for itself',
    ['parameter_prefix: /awsome/{runner_name}/'],
    [
      '13:23: parameter_prefix: expected a path such as /gitlab/dedicated/runner/{runner_name}/, with {runner_name} as one part and a slash at its end, found "/awsome/{runner_name}/"',
    ],
  ],
  [
    'the name of a container that a shell would read',
    ['host: {name: "runner; rm -rf /"}'],
    ['13:18: host.name: expected the name of a container or unit, found "runner; rm -rf /"'],
  ],
];

describe('a stack is refused for', () => {
  test.each(refused)('%s', async (_name, lines, problems) => {
    expect(await problemsOf({ text: withKeys(...lines) })).toEqual(
      problems.map((problem) => `hosted-runners.yml:${problem}`),
    );
  });
});

/** Whole files. */
const broken: readonly [string, string, string[]][] = [
  ['an empty file', '', ['1:1: version is missing; write "version: 1"', '1:1: stacks is missing']],
  ['a list', '- a', ['1:1: the file: expected keys, found a list']],
  ['a word', 'hello', ['1:1: the file: expected keys, found "hello"']],
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
      '3:3: stacks.linux: infrastructure.apply is missing (command that builds a shard, as a list of words. {shard} and {runner_name} are filled in; {shard} has to appear)',
      '3:3: stacks.linux: infrastructure.destroy is missing (command that destroys a shard and succeeds where nothing is left of it)',
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
  expect(renderError('validate', error!.fields)).toBe(
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
