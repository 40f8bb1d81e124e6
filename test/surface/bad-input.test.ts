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

describe('the program at its start', () => {
  test('prints the next command without arguments', async () => {
    const end = await run([]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(end.stderr).toMatch(/hosted-runner demo .*\n.*hosted-runner init /);
  });

  test.each([[['--help']], [['help']], [['provision', '--help']], [['help', 'recover']]])(
    'prints its help with %j',
    async (args) => {
      const end = await run(args);
      expect(end).toMatchObject({ exitCode: 0, stderr: '' });
      expect(end.stdout).toContain('Usage: hosted-runner');
    },
  );

  test.each(['prepare', 'deploy'])(
    'contacts no service in %s with a variables file that is not filled in',
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
          '  why  linux/purple.tfvars:2:11: ami_id: replace FILL_IN by a value',
          '  now  Nothing was touched.',
          '  fix  Correct the file and check it again: hosted-runner validate --config terraform.yml',
        ].join('\n'),
      );
      expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    },
  );

  test.each([['deploy'], ['status'], ['validate']])(
    'names init as %s in a folder without configuration',
    async (command) => {
      const end = await run(command === 'deploy' ? [command, '--runner', 'linux'] : [command]);
      expect(end).toMatchObject({ exitCode: 2, stdout: '' });
      expect(end.stderr).toContain('There is no configuration file hosted-runners.yml.');
      expect(end.stderr).toContain('hosted-runner init');
    },
  );
});

describe('the name of a stack', () => {
  test('causes an error with the known names if it is not in the file', async () => {
    const end = await run(['prepare', '--runner', 'linus', ...good]);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('There is no stack "linus" in good.yml.');
    expect(end.stderr).toContain('Did you mean: --runner linux');
  });
});

describe('the configuration', () => {
  test('causes one error with every mistake and its place', async () => {
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

describe('the CI environment', () => {
  test('causes one error for all missing variables of a GitLab job', async () => {
    const env = { ...token, GITLAB_CI: 'true', CI_PIPELINE_ID: 'x' };
    const end = await run(['prepare', '--runner', 'linux', ...good], env);
    expect(end.exitCode).toBe(2);
    for (const name of ['CI_PROJECT_ID', 'CI_PIPELINE_ID', 'CI_PIPELINE_CREATED_AT', 'CI_JOB_ID']) {
      expect(end.stderr).toContain(name);
    }
  });

  test('causes an error before any request without a token', async () => {
    const end = await run(['prepare', '--runner', 'linux', ...good], {});
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain('The environment has no GitLab token');
  });
});

test('bad input writes no file', () => {
  const known = ['good.yml', 'bad.yml', 'terraform.yml', 'linux'];
  expect(readdirSync(folder).filter((name) => !known.includes(name))).toEqual([]);
});
