import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { wellSet } from '../../../sandbox/gitlab/settings/settings.ts';
import type { End } from '../by-hand/world/running.ts';
import type { World } from '../by-hand/world/world.ts';
import { type DeployingProject, mode, openWrongProject, role, wrong } from './deploying-project.ts';

const token = 'projects/101/variables/HOSTED_RUNNER_GITLAB_TOKEN';
let project: DeployingProject;
let world: World;

function setUp(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<End> {
  return world.run({ args: ['setup', 'gitlab', ...args], env });
}

/** Refuses every write from now on. */
function refuseWrites(status = 500): void {
  for (const method of ['PUT', 'POST'])
    world.sandbox.faults.add({
      id: method,
      service: 'gitlab',
      match: { method },
      effect: { kind: 'status', status },
    });
}

const named = ['--project', 'acme/runners'];

describe('setup gitlab', () => {
  beforeAll(async () => {
    project = await openWrongProject();
    world = project.world;
  });
  beforeEach(() => project.makeWrong());
  afterEach(() => world.sandbox.faults.clear());
  afterAll(() => world.close());

  test('shows the changes, sets them, and has nothing to change in a second run', async () => {
    const dry = await setUp([...named, '--dry-run']);
    expect(dry).toMatchObject({ exitCode: 0, stderr: '' });
    expect(rowsOf(dry)).toEqual([
      [role, 'developer', 'no_one_allowed'],
      [mode, 'oldest_first', 'unordered'],
      ['process mode of hosted-runner/linux', 'oldest_first', 'unordered'],
      ['hourly schedule for finalize', 'none', '"finish deployments" is active'],
    ]);
    expect(await project.readSettings()).toEqual({
      ...wrong,
      group: 'oldest_first',
      schedules: [],
    });

    const set = await setUp([...named, '--yes']);
    expect(set).toMatchObject({ exitCode: 0, stderr: '' });
    expect(rowsOf(set)).toEqual(rowsOf(dry));
    expect(await project.readSettings()).toEqual({
      ...{ [role]: 'no_one_allowed', [mode]: 'unordered', group: 'unordered' },
      schedules: [['finish deployments', 'refs/heads/main', '0 * * * *', true]],
    });

    refuseWrites();
    const again = await setUp([...named, '--yes']);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.stdout).toMatch(/^Nothing to change in acme\/runners\.$/m);
  });

  test('stores the token of the terminal only with --store-token, and prints it never', async () => {
    await setUp([...named, '--yes']);
    const missing = await setUp([...named, '--yes']);
    expect(missing.stdout).toContain('1. variable HOSTED_RUNNER_GITLAB_TOKEN (now: missing)\n');

    const stored = await setUp([...named, '--yes', '--store-token']);
    expect(stored).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await project.send('GET', token)).toMatchObject({
      ...{ masked: true, hidden: true, protected: true, value: null },
      environment_scope: 'hosted-runner/*',
    });
    expect(stored.text).not.toContain(world.sandbox.gitlab.deployerToken());

    refuseWrites();
    const again = await setUp([...named, '--yes', '--store-token']);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toMatch(/^Nothing to change/m);
    world.sandbox.faults.clear();
    await project.send('DELETE', token);
  });

  test('corrects scope, protection and masking of a stored token', async () => {
    await setUp([...named, '--yes']);
    const body = { key: 'HOSTED_RUNNER_GITLAB_TOKEN', value: 'glpat-of-another-time' };
    await project.send('POST', 'projects/101/variables', body);
    const environment = ['--environment', 'runners'];
    const { exitCode, stdout } = await setUp([...named, ...environment, '--yes', '--store-token']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('not masked, not protected, scope *, another value');
    expect(await project.send('GET', token)).toMatchObject({
      ...{ masked: true, hidden: false, protected: true },
      ...{ environment_scope: 'runners/*', value: world.sandbox.gitlab.deployerToken() },
    });
    await project.send('DELETE', token);
  });

  test('sets what the token may set, and ends with 1 and the manual steps for the rest', async () => {
    const order = { user: 'dev', scopes: ['api'], project: 101 };
    const env = {
      HOSTED_RUNNER_GITLAB_TOKEN: world.sandbox.gitlab.createToken({
        ...order,
        accessLevel: 'developer',
      }).token,
    };
    const { exitCode, stdout, stderr } = await setUp([...named, '--yes'], env);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('✔ Set process mode of hosted-runner/linux: unordered.');
    expect(stdout).toMatch(
      new RegExp(
        `^1\\. ${mode} \\(not set: GitLab PUT /projects/acme/runners: 403 Forbidden\\)$`,
        'm',
      ),
    );
    expect(stdout).toMatch(
      new RegExp(`^3\\. ${role} \\(not known: GitLab shows it only to Maintainers`, 'm'),
    );
    expect(await project.readSettings()).toMatchObject({ ...wrong, group: 'unordered' });
  });

  test('detects a write whose response was lost', async () => {
    world.sandbox.faults.add({
      id: 'lost',
      service: 'gitlab',
      match: { method: 'PUT', path: 'projects/acme%2Frunners$' },
      effect: { kind: 'reset_after' },
    });
    const { exitCode, stdout } = await setUp([...named, '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`✔ Set ${role}: no_one_allowed.`);
    expect(await project.readSettings()).toMatchObject({
      [role]: 'no_one_allowed',
      [mode]: 'unordered',
    });
  });

  test('prints the lines for .gitlab-ci.yml if they are missing', async () => {
    world.sandbox.gitlab.configureWorkflow(101, {});
    const { exitCode, stdout } = await setUp([...named, '--yes']);
    world.sandbox.gitlab.configureWorkflow(101, wellSet().workflow);
    expect(exitCode).toBe(0);
    expect(
      stdout,
    ).toContain(`workflow:auto_cancel (now: on_new_commit: conservative, on_job_failure: none)
   Add these lines to .gitlab-ci.yml:
   workflow:
     auto_cancel:
       on_new_commit: none
       on_job_failure: none
`);
  });

  test('changes nothing without --yes if no operator can be prompted', async () => {
    const { exitCode, code, stderr } = await setUp(named);
    expect({ exitCode, code }).toEqual({ exitCode: 2, code: 'NotConfirmed' });
    expect(stderr).toContain('hosted-runner setup gitlab --project acme/runners');
    expect(await project.readSettings()).toMatchObject({ ...wrong, group: 'oldest_first' });
  });

  test('finds the project of the job, or of the git remote', async () => {
    const job = { GITLAB_CI: 'true', CI_PROJECT_ID: '101' };
    expect((await setUp(['--dry-run'], job)).stdout).toMatch(/^Changes in acme\/runners:$/m);
    const without = await setUp(['--dry-run']);
    expect(without).toMatchObject({ exitCode: 2, code: 'BadUsage' });
    expect(without.stderr).toContain('Name it: hosted-runner setup gitlab --project acme/runners');
    mkdirSync(join(world.folder, '.git'), { recursive: true });
    const remote = '[remote "origin"]\n\turl = git@gitlab.example.com:acme/runners.git\n';
    writeFileSync(join(world.folder, '.git/config'), remote);
    expect((await setUp(['--dry-run'])).stdout).toMatch(/^Changes in acme\/runners:$/m);
  });

  test('stores no other token than the one of its variable', async () => {
    const gitlab = world.sandbox.gitlab.deployerToken();
    const env = { HOSTED_RUNNER_GITLAB_TOKEN: '', GITLAB_TOKEN: gitlab };
    const { code, stderr } = await setUp([...named, '--yes', '--store-token'], env);
    expect(code).toBe('BadUsage');
    expect(stderr).toContain('fix  Set the token of the deployment in the variable');
  });

  test('refuses stacks without a GitLab', async () => {
    const keys = ['runners=github', 'github.repository=acme/app', 'canary.kind=off'];
    const { stderr, code } = await setUp([...named, ...keys.flatMap((key) => ['--set', key])]);
    expect(code).toBe('BadUsage');
    expect(stderr).toContain('setup: The stacks do not have one GitLab in common.');
    expect(stderr).toContain('runners: gitlab: hosted-runner setup gitlab --runner NAME');
  });
});

/** Returns the cells of the printed table. */
function rowsOf({ stdout }: End): string[][] {
  const rows = stdout.split('\n').filter((line) => line.startsWith('│'));
  return rows.slice(1).map((row) =>
    row
      .slice(1, -1)
      .split('│')
      .map((cell) => cell.trim()),
  );
}
