import { describe, expect, test } from '@jest/globals';
import { Option } from 'commander';
import { flagOf, takesValue } from '../../src/cli/command.ts';
import { commandTable } from '../../src/cli/commands/command-table.ts';
import { type } from './commanding.ts';

const common = { overrides: [], color: true };
const stage = { ...common, runnerName: 'linux', takeLock: false };

describe('a command line that reaches its action', () => {
  test.each<[string, string, unknown]>([
    ['prepare --runner linux', 'prepare', stage],
    ['onboard --runner=linux --no-color', 'onboard', { ...stage, color: false }],
    ['provision --runner linux', 'provision', stage],
    ['provision --runner linux --until promoted', 'provision', { ...stage, until: 'promoted' }],
    ['provision --runner linux --until healthy', 'provision', { ...stage, until: 'healthy' }],
    ['cleanup --runner linux --take-lock', 'cleanup', { ...stage, takeLock: true }],
    [
      'finalize --runner linux --config a.yml --set a.b=1 --set a.b=2=3',
      'finalize',
      { ...stage, config: 'a.yml', overrides: ['a.b=1', 'a.b=2=3'] },
    ],
    [
      'deploy --runner linux --deployment acme/app-12 --evidence-file e.jsonl',
      'deploy',
      { ...stage, deployment: 'acme/app-12', eventFile: 'e.jsonl' },
    ],
    ['status', 'status', { ...common, json: false, api: false, watch: false }],
    ['status --api', 'status', { ...common, json: false, api: true, watch: false }],
    [
      'status --runner linux --json --watch',
      'status',
      { ...common, runnerName: 'linux', json: true, api: false, watch: true },
    ],
    ['rollback --runner linux', 'rollback', stage],
    [
      'activate --runner linux --shard pink --registration 48213',
      'activate',
      { ...stage, shard: 'pink', registration: '48213' },
    ],
    [
      'recover --runner linux --method cleanup',
      'recover',
      { ...stage, method: 'cleanup', yes: false, addresses: [] },
    ],
    [
      'recover --runner linux --although-nothing-serves --yes',
      'recover',
      { ...stage, method: 'cleanup', forceWhenNoneAccepts: true, yes: true, addresses: [] },
    ],
    [
      'recover --runner linux --method terminate --although-nothing-serves',
      'recover',
      { ...stage, method: 'terminate', forceWhenNoneAccepts: true, yes: false, addresses: [] },
    ],
    [
      'hold --runner linux --reason noon',
      'hold',
      { ...common, runnerName: 'linux', reason: 'noon' },
    ],
    ['release --runner linux', 'release', { ...common, runnerName: 'linux' }],
    ['release --runner linux --plain', 'release', { ...common, runnerName: 'linux', plain: true }],
    [
      'renew --runner linux-large --plain',
      'renew',
      { ...common, runnerName: 'linux-large', plain: true },
    ],
    [
      'hold --runner linux --reason noon --plain',
      'hold',
      { ...common, runnerName: 'linux', reason: 'noon', plain: true },
    ],
    [
      'doctor --runner linux --fix --plain',
      'doctor',
      {
        ...common,
        runnerName: 'linux',
        json: false,
        logs: false,
        fix: true,
        yes: false,
        plain: true,
      },
    ],
    ['validate', 'validate', common],
    ['check-document --runner linux', 'checkDocument', { ...common, runnerName: 'linux' }],
    ['init --ci github --force', 'init', { ci: 'github', force: true, color: true }],
    [
      'init --stack linux --stack arm',
      'init',
      { stacks: ['linux', 'arm'], force: false, color: true },
    ],
    [
      'demo --json a.json --report b.html --speed 2.5',
      'demo',
      { json: 'a.json', report: 'b.html', speed: 2.5, runners: 'gitlab' },
    ],
    ['demo --runners github', 'demo', { runners: 'github', speed: 1 }],
    ['demo --all --verbose', 'demo', { runners: 'gitlab', speed: 1, all: true, verbose: true }],
    ['demo --plain', 'demo', { runners: 'gitlab', speed: 1, plain: true }],
    [
      'status --watch --plain',
      'status',
      { ...common, json: false, api: false, watch: true, plain: true },
    ],
    [
      'sandbox --folder f --port 0',
      'sandbox',
      { folder: 'f', port: 0, runners: 'gitlab', color: true },
    ],
    [
      'sandbox apply --runner linux --shard pink',
      'sandboxApply',
      { runnerName: 'linux', shard: 'pink' },
    ],
    [
      'sandbox destroy --runner linux --shard pink',
      'sandboxDestroy',
      { runnerName: 'linux', shard: 'pink' },
    ],
    [
      'sandbox signal --alarm runner-errors --says ALARM',
      'sandboxSignal',
      { of: { alarm: 'runner-errors' }, value: 'ALARM' },
    ],
    [
      'sandbox signal --query runner_errors --says 0.2',
      'sandboxSignal',
      { of: { query: 'runner_errors' }, value: '0.2' },
    ],
    ['sandbox signal --webhook --says 404', 'sandboxSignal', { of: 'webhook', value: '404' }],
    [
      'sandbox manager --folder x --anything y z',
      'sandboxManager',
      ['--folder', 'x', '--anything', 'y', 'z'],
    ],
  ])('parses %s', async (line, name, options) => {
    const answer = await type(line.split(' '));
    expect(answer.stderr).toBe('');
    expect(answer.reached).toEqual({ name, options });
  });
});

describe('an option in front of its command', () => {
  test.each([
    ['--no-color status', 'status --no-color'],
    ['--no-color --json status --watch', 'status --no-color --json --watch'],
    ['--plain --verbose provision --runner linux', 'provision --plain --verbose --runner linux'],
    ['--config a.yml --set a.b=1 validate', 'validate --config a.yml --set a.b=1'],
    ['--config=a.yml --runner=linux deploy', 'deploy --config=a.yml --runner=linux'],
    // A stack may have the name of a command.
    ['--runner status deploy', 'deploy --runner status'],
    ['--runner deploy status', 'status --runner deploy'],
    ['--json numbers.json demo', 'demo --json numbers.json'],
    ['--json verify one.jsonl', 'verify --json one.jsonl'],
    ['--runner linux --shard pink sandbox apply', 'sandbox apply --runner linux --shard pink'],
    ['--no-color sandbox --port 0', 'sandbox --no-color --port 0'],
    ['--no-color help status', 'help status'],
    ['--all help', 'help --all'],
    ['--no-color --help', '--help'],
    ['--help status', '--help'],
    ['--no-color --version', '--version'],
    ['--no-color', ''],
    // An error after the command has the same text before the command.
    ['--no-color stauts', 'stauts --no-color'],
    ['--plain validate', 'validate --plain'],
    ['--plian provision --runner linux', 'provision --plian --runner linux'],
    ['--runner Linux status', 'status --runner Linux'],
  ])('works as after it: %s is %s', async (typed, usual) => {
    const words = (line: string) => line.split(' ').filter((word) => word !== '');
    expect(await type(words(typed))).toEqual(await type(words(usual)));
  });

  test.each([
    // The command is the value of the option before it.
    ['--config status', "Unknown option '--config'."],
    ['--runner deploy --no-color', "Unknown option '--runner'."],
  ])('does not make a value the command: %s', async (typed, what) => {
    const { exit, stderr, reached } = await type(typed.split(' '));
    expect([exit, stderr.split('\n')[0], reached]).toEqual([
      2,
      `✖ hosted-runner: ${what}`,
      undefined,
    ]);
  });
});

describe('environment variables in place of flags', () => {
  const environment = {
    HOSTED_RUNNER_RUNNER_NAME: 'linux',
    HOSTED_RUNNER_DEPLOYMENT: '7-8',
    HOSTED_RUNNER_EVIDENCE_FILE: 'e.jsonl',
  };

  test('count if the flags are absent', async () => {
    const { reached } = await type(['prepare'], environment);
    expect(reached?.options).toEqual({ ...stage, deployment: '7-8', eventFile: 'e.jsonl' });
  });

  test('yield to flags', async () => {
    const argv = ['prepare', '--runner', 'mac', '--deployment', '9', '--evidence-file', 'f'];
    const { reached } = await type(argv, environment);
    expect(reached?.options).toMatchObject({
      runnerName: 'mac',
      deployment: '9',
      eventFile: 'f',
    });
  });

  test('count as absent if they are empty', async () => {
    const answer = await type(['prepare'], { HOSTED_RUNNER_RUNNER_NAME: '' });
    expect(answer.stderr).toContain('prepare needs the name of a stack.');
  });

  test('do not affect --all', async () => {
    const { reached } = await type(['status', '--all'], environment);
    expect(reached?.options).toEqual({
      ...common,
      eventFile: 'e.jsonl',
      json: false,
      api: false,
      watch: false,
    });
  });
});

test('the option table matches the parser', () => {
  const options = commandTable.flatMap((command) => [
    ...command.options,
    ...(command.inner ?? []).flatMap((one) => one.options),
  ]);
  const read = options.map(({ flags }) => new Option(flags));
  expect(options.map(takesValue)).toEqual(read.map(({ required }) => required));
  expect(options.map(flagOf)).toEqual(read.map(({ long }) => long));
  // An optional value would make an option ambiguous.
  expect(read.filter(({ optional }) => optional)).toEqual([]);
});
