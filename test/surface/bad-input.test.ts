import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../support/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bad-input-'));
  writeFileSync(join(folder, 'good.yml'), configuration());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function configuration({ url = 'https://gitlab.example.com', more = '' } = {}): string {
  return `version: 1
defaults:
  gitlab: { url: ${url} }
  registration: { scope: group, group_id: 10, tags: [linux] }
  infrastructure:
    driver: command
    apply: [./apply, '{shard}']
    destroy: [./destroy, '{shard}']
${more}stacks:
  linux: {}
`;
}

const token = { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-not-a-real-token' };

async function run(args: readonly string[], env: Record<string, string> = token) {
  const { exitCode, stdout, stderr } = await runProgram({ args, env, cwd: folder });
  return { exitCode, stdout, stderr };
}

const good = ['--config', 'good.yml'];

describe('the program, started', () => {
  test('without arguments: says what to type', async () => {
    const end = await run([]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(end.stderr).toMatch(/hosted-runner demo .*\n.*hosted-runner init /);
  });

  test.each([[['--help']], [['help']], [['provision', '--help']], [['help', 'recover']]])(
    'with %j: explains itself',
    async (args) => {
      const end = await run(args);
      expect(end).toMatchObject({ exitCode: 0, stderr: '' });
      expect(end.stdout).toContain('Usage: hosted-runner');
    },
  );

  test('with an unknown command: names the one that was meant', async () => {
    const end = await run(['provisoin', '--runner', 'linux']);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(end.stderr).toContain('Did you mean this one: hosted-runner provision --runner linux\n');
  });

  // Nobody answers at the configured address: what is refused is refused without asking.
  test.each([
    [['activate', '--shard', 'pnk', '--registration', '48001'], '"pnk"', '--shard pink'],
    [['activate', '--shard', 'Purple'], '"Purple"', '--shard purple'],
    [['healthcheck', '--once', '--shard', 'purpl'], '"purpl"', '--shard purple'],
    [['healthcheck', '--listen', '127.0.0.1:0', '--shard', 'pimk'], '"pimk"', '--shard pink'],
    [
      ['healthcheck', '--listen', '127.0.0.1:1', '--once', '--shard', 'pimk'],
      '"pimk"',
      '--shard pink',
    ],
  ])('with %j: names the shards that there are', async ([name = '', ...rest], shown, meant) => {
    const end = await run([name, '--runner', 'linux', ...rest, ...good]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(end.stderr).toContain(
      [
        `linux has no shard ${shown}.`,
        '  why  Its two shards are pink and purple.',
        '  now  Nothing was touched.',
        `  fix  Did you mean this one: ${meant}`,
        '       See which of them serves: hosted-runner status --runner linux --config good.yml',
        '  ref  UnknownShard',
      ].join('\n'),
    );
  });

  test.each(['prepare', 'deploy'])(
    '%s with a file of variables that is not filled in: asks nobody',
    async (name) => {
      const infrastructure = `    driver: terraform
    directory: '{runner_name}'
    workspace: '{runner_name}-{shard}'
    var_files: ['{shard}.tfvars', gone.tfvars]
`;
      const [before = '', after = ''] = configuration().split(/ {4}driver(?:.*\n)*?(?=stacks)/);
      mkdirSync(join(folder, 'linux'), { recursive: true });
      writeFileSync(join(folder, 'terraform.yml'), `${before}${infrastructure}${after}`);
      writeFileSync(join(folder, 'linux/purple.tfvars'), '# FILL_IN\nami_id = "FILL_IN"\n');
      const end = await run([name, '--runner', 'linux', '--config', 'terraform.yml']);
      expect(end.stderr).toContain(
        [
          'The configuration terraform.yml has 1 problem.',
          '  why  linux/purple.tfvars:2:11: ami_id: still to be filled in',
          '  now  Nothing was touched.',
          '  fix  Correct the file and look again: hosted-runner validate --config terraform.yml',
        ].join('\n'),
      );
      expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    },
  );

  test('with a shard that is like neither of the two: names both', async () => {
    const typed = ['activate', '--runner', 'linux', '--shard', ''];
    const end = await run([...typed, ...good]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(end.stderr).toContain('  fix  Name one of them: --shard pink, or --shard purple');
  });

  test.each([['deploy'], ['status'], ['validate']])(
    'as %s in a directory without configuration: says how to get one',
    async (command) => {
      const end = await run(command === 'deploy' ? [command, '--runner', 'linux'] : [command]);
      expect(end).toMatchObject({ exitCode: 2, stdout: '' });
      expect(end.stderr).toContain('There is no configuration hosted-runners.yml.');
      expect(end.stderr).toContain('hosted-runner init');
    },
  );
});

describe('the name of a stack', () => {
  test.each([
    '../linux',
    'linux/../../etc',
    'a b',
    'a"b',
    "a'b",
    'a\nb',
    'a;id',
    '$(id)',
    '-linux',
    'Linux',
    'x'.repeat(300),
    '',
  ])('%j is refused', async (name) => {
    const end = await run(['prepare', `--runner=${name}`, ...good]);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('is not the name of a stack.');
    expect(end.stderr.split('\n')[0]?.length).toBeLessThan(200);
  });

  test('that is no stack of the file is told, with those that are', async () => {
    const end = await run(['prepare', '--runner', 'linus', ...good]);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('There is no stack "linus" in good.yml.');
    expect(end.stderr).toContain('Did you mean this one: --runner linux');
  });

  test('in the environment is held to the same', async () => {
    const end = await run(['prepare', ...good], { HOSTED_RUNNER_RUNNER_NAME: '../x' });
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('HOSTED_RUNNER_RUNNER_NAME "../x" is not the name of a stack.');
  });
});

describe('the configuration', () => {
  test('is told everything that is wrong with it at once, with its place', async () => {
    const more = `  drian: {}
  drain: { timeout: 15, poll: -1m, confirmation: abc }
  registration2: 1
`;
    writeFileSync(
      join(folder, 'bad.yml'),
      configuration({ url: 'http://gitlab.example.com', more }),
    );
    const end = await run(['prepare', '--runner', 'linux', '--config', 'bad.yml']);
    expect(end.exitCode).toBe(2);
    for (const part of [
      'drain',
      'the unit is missing (ms, s, m, h or d)',
      '"-1m"',
      '"abc"',
      'https',
      'registration2',
    ]) {
      expect(end.stderr).toContain(part);
    }
    expect(end.stderr).toMatch(/bad\.yml:\d+:\d+/);
    expect(end.stderr).toContain('Nothing was touched.');
  });

  test.each([
    ['drain.timeout=15', 'the unit is missing'],
    ['drain.timeout=-1m', '-1m'],
    ['drain.timeout=abc', 'abc'],
    ['drian.timeout=1m', 'unknown key'],
    ['gitlab.url=http://gitlab.example.com', 'https'],
    ['gitlab.url=ftp://gitlab.example.com', 'https'],
    ['nonsense', 'does not say which key gets which value'],
  ])('--set %s is refused', async (assignment, part) => {
    const end = await run(['prepare', '--runner', 'linux', ...good, '--set', assignment]);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain(part);
  });

  test('a variable that no key knows is told', async () => {
    const env = { ...token, HOSTED_RUNNER_DRIAN_TIMEOUT: '1m' };
    const end = await run(['prepare', '--runner', 'linux', ...good], env);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('HOSTED_RUNNER_DRIAN_TIMEOUT');
    expect(end.stderr).toContain('HOSTED_RUNNER_DRAIN_TIMEOUT');
  });
});

describe('where this runs', () => {
  test('a job of GitLab without its variables is told all of them at once', async () => {
    const env = { ...token, GITLAB_CI: 'true', CI_PIPELINE_ID: 'x' };
    const end = await run(['prepare', '--runner', 'linux', ...good], env);
    expect(end.exitCode).toBe(2);
    for (const name of ['CI_PROJECT_ID', 'CI_PIPELINE_ID', 'CI_PIPELINE_CREATED_AT', 'CI_JOB_ID']) {
      expect(end.stderr).toContain(name);
    }
  });

  test('without a token nothing is asked of anybody', async () => {
    const end = await run(['prepare', '--runner', 'linux', ...good], {});
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('There is no GitLab token in the environment');
  });

  test('a sandbox that is not there is told', async () => {
    const shard = ['sandbox', 'apply', '--runner', 'linux', '--shard', 'pink'];
    const none = await run(shard, {});
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain('HOSTED_RUNNER_SANDBOX_URL is not set');
    const gone = await run(shard, { HOSTED_RUNNER_SANDBOX_URL: 'http://127.0.0.1:9' });
    expect(gone.exitCode).toBe(1);
    expect(gone.stderr).toContain('No sandbox answers at http://127.0.0.1:9.');
  });
});

test('nothing of it has written a file', () => {
  const known = ['good.yml', 'bad.yml', 'terraform.yml', 'linux'];
  expect(readdirSync(folder).filter((name) => !known.includes(name))).toEqual([]);
});
