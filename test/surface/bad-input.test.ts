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
  test('that is no stack of the file is told, with those that are', async () => {
    const end = await run(['prepare', '--runner', 'linus', ...good]);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('There is no stack "linus" in good.yml.');
    expect(end.stderr).toContain('Did you mean this one: --runner linux');
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
});

test('nothing of it has written a file', () => {
  const known = ['good.yml', 'bad.yml', 'terraform.yml', 'linux'];
  expect(readdirSync(folder).filter((name) => !known.includes(name))).toEqual([]);
});
