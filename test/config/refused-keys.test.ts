import { describe, expect, test } from '@jest/globals';
import { problemsOf, withKeys } from './loading.ts';

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
    ['13:5: stacks.linux: unknown key "<<"; merge keys are not supported, use defaults'],
  ],
  ['a key given twice', ['managers: 1', 'managers: 2'], ['14:5: this key is given twice']],
  [
    'a key without a value',
    ['managers:'],
    ['13:14: managers: no value; set one or remove the key'],
  ],
  [
    'a value where keys belong',
    ['drain: 15m'],
    ['13:12: stacks.linux.drain: expected keys, found "15m"'],
  ],
  [
    'an unknown choice, with a suggestion',
    ['host: {access: run_comand}'],
    [
      '13:20: host.access: expected one of run_command, none, found "run_comand"; did you mean "run_command"?',
    ],
  ],
  [
    'a driver that is not known',
    ['infrastructure: {driver: teraform}'],
    [
      '13:30: infrastructure.driver: expected one of terraform, command, found "teraform"; did you mean "terraform"?',
    ],
  ],
  [
    'an invalid assignment',
    ['infrastructure: {variables: [shard], backend_config: ["-upgrade=1"]}'],
    [
      '13:34: infrastructure.variables[0]: expected an assignment such as name=value, found "shard"',
      '13:59: infrastructure.backend_config[0]: expected an assignment such as name=value, found "-upgrade=1"',
    ],
  ],
  [
    'a text as a boolean',
    ['registration: {locked: yes}'],
    ['13:28: registration.locked: expected true or false, found "yes"'],
  ],
  [
    'a word that YAML reads as something else, with how to write it',
    ['registration: {tags: [26]}', 'infrastructure: {apply: [true, "{shard}", 1.10]}'],
    [
      '13:27: registration.tags[0]: expected a tag of at most 255 characters, without spaces, commas and control characters, that does not begin with "canary-", found 26; in quotes it is text: "26"',
      '14:30: infrastructure.apply[0]: expected a word without control characters, found true; in quotes it is text: "true"',
      // The typed text, 1.1 or 1.10, is lost.
      '14:47: infrastructure.apply[2]: 1.10 is a number in YAML and would be read as 1.1; quote it to keep the text: "1.10"',
    ],
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
      return `14:${column}: registration.tags[${item}]: expected a tag of at most 255 characters, without spaces, commas and control characters, that does not begin with "canary-", found ${found}`;
    }),
  ],
  [
    'a number that is no fraction',
    ['bake: {faults: {baseline: 5, alpha: "0.01"}}'],
    [
      '13:31: bake.faults.baseline: expected a part of 1 from 0.00001 to 0.5, found 5',
      '13:41: bake.faults.alpha: expected a part of 1 from 1e-7 to 0.05, found "0.01"',
    ],
  ],
  [
    'queries with an extra key, a missing key, and a foreign address',
    [
      'bake:',
      '  signals:',
      '    prometheus:',
      '      - {query: up, url: http://prometheus:9090, abov: 1}',
      '      - {query: up, url: http://prometheus:9090}',
      '      - {query: up, url: ftp://prometheus, above: "5 %", for: 5}',
      '      - up',
    ],
    [
      '16:13: bake.signals.prometheus[0]: expected a query such as {query: …, url: …, above: 0.05, for: 5m}, found its key "abov"; did you mean "above"?',
      '17:13: bake.signals.prometheus[1]: expected a key above, found none',
      '18:13: bake.signals.prometheus[2]: expected an http:// or https:// address such as http://prometheus.example.com:9090, found "ftp://prometheus", as its url',
      '18:13: bake.signals.prometheus[2]: expected a number from -1000000000000 to 1000000000000, found "5 %", as its above',
      '18:13: bake.signals.prometheus[2]: expected a duration such as "90s", "15m" or "1h30m", found 5: the unit is missing (ms, s, m, h or d), as its for',
      '19:13: bake.signals.prometheus[3]: expected a query such as {query: …, url: …, above: 0.05, for: 5m}, found "up"',
    ],
  ],
  ['one shard', ['shards: [pink]'], ['13:13: shards: expected exactly two shards']],
  [
    'a shard that is not a plain word',
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

describe('a refused key', () => {
  test.each(refused)('causes an error: %s', async (_name, lines, problems) => {
    expect(await problemsOf({ text: withKeys(...lines) })).toEqual(
      problems.map((problem) => `hosted-runners.yml:${problem}`),
    );
  });
});
