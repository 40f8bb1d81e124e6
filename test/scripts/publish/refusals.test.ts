import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { commitAll, openPublishPlace, type PublishPlace, publish } from './clone.ts';
import type { FakeGitLab, Fault } from './fake-gitlab.ts';

let gitlab: FakeGitLab;
let place: PublishPlace;

beforeEach(async () => {
  place = await openPublishPlace();
  gitlab = place.gitlab;
});

afterEach(() => place.close());

const done = ['POST /api/v4/projects', 'POST /api/graphql mutation', 'git push'];
const create = /^POST \/api\/v4\/projects$/;
const mutation = /^POST \/api\/graphql mutation$/;

describe('a fault that passes', () => {
  test.each<[string, Omit<Fault, 'times'> & { times?: number }]>([
    ['503 for the version', { call: /version$/, with: 503, times: 2 }],
    ['429 for the group', { call: /groups/, with: 429 }],
    ['503 for the new project', { call: create, with: 503 }],
    ['a lost response to the new project', { call: create, with: 'lost' }],
    ['502 for the catalog', { call: mutation, with: 502 }],
    ['a lost response to the catalog', { call: mutation, with: 'lost' }],
    ['a lost response to a check of the pipeline', { call: /pipelines$/, with: 'lost' }],
    ['500 for the release', { call: /releases/, with: 500 }],
  ])('the command repeats a failed request without a second effect: %s', async (_, fault) => {
    gitlab.faults = [{ times: 1, ...fault }];
    const { exitCode, output } = await publish(place, { args: ['--yes'] });
    expect(output).toContain('CI/CD catalog: listed.');
    expect(exitCode).toBe(0);
    expect(gitlab.changes).toEqual(done);
  });
});

describe('a refusal names the cause and the next step', () => {
  test.each<[string, (to: FakeGitLab) => void, readonly string[]]>([
    [
      'an old GitLab',
      (to) => (to.version = '17.4.6'),
      ['GitLab 17.4.6 at ', 'needs 17.5 or later'],
    ],
    [
      'a token without api',
      (to) => (to.scopes = ['read_api', 'write_repository']),
      ['has the scopes read_api, write_repository; this command needs api.'],
    ],
    [
      'an unknown group',
      (to) => (to.group.full_path = 'other'),
      ['The group platform/tools does not exist, or ada cannot see it.', '/groups/new'],
    ],
    [
      'another program at the address',
      (to) => to.faults.push({ call: /version$/, with: 404, times: 1 }),
      [' is no GitLab.', 'Give the address of the start page'],
    ],
    [
      'a GitLab that is down',
      (to) => to.faults.push({ call: /version$/, with: 503, times: 99 }),
      [' did not respond.', 'curl --head '],
    ],
    [
      'a user who may not create projects',
      (to) => to.faults.push({ call: create, with: 403, message: '403 Forbidden', times: 1 }),
      ['GitLab refused to create Platform/tools/hosted-runner-deploy.', 'creates a blank project'],
    ],
    [
      'a visibility that the group does not permit',
      (to) =>
        to.faults.push({ call: create, with: 400, message: 'internal is not allowed', times: 1 }),
      ['why  POST /api/v4/projects: 400 internal is not allowed', '--visibility private'],
    ],
  ])('%s', async (_, arrange, texts) => {
    arrange(gitlab);
    const { exitCode, output } = await publish(place, { args: ['--yes'] });
    for (const text of texts) expect(output).toContain(text);
    expect(output).toContain('\n  now  ');
    expect([exitCode, gitlab.changes]).toEqual([1, []]);
  });

  test('continues without the catalog if only an Owner may use it', async () => {
    gitlab.mayUseCatalog = false;
    const { exitCode, output } = await publish(place, { args: ['--yes'] });
    expect(output).toContain(
      '! GitLab refused the catalog (POST /api/graphql: 200 no permission).',
    );
    expect(output).toContain('CI/CD Catalog project).');
    expect(output).toContain('CI/CD catalog: not listed.');
    expect(exitCode).toBe(0);
  });

  test('repairs only the missing settings of an existing project', async () => {
    await publish(place, { args: ['--yes'] });
    gitlab.changes.length = 0;
    Object.assign(gitlab.project ?? {}, { ci_config_path: null, description: 'Our own text' });
    const { output } = await publish(place, { args: ['--yes'] });
    expect(output).toContain("  1. Change the project's settings: ci_config_path.\n");
    expect(gitlab.changes).toEqual(['PUT /api/v4/projects/11']);
    expect(gitlab.project?.description).toBe('Our own text');
  });

  test('names the missing packages if a proxy is set', async () => {
    const { exitCode, output } = await publish(place, {
      env: { HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
    expect(output).toContain('\n  fix  npm ci\n');
    expect([exitCode, gitlab.changes]).toEqual([1, []]);
  });

  test('refuses a program that was built from other sources', async () => {
    appendFileSync(join(place.clone, 'src/domain/project.ts'), '// changed');
    commitAll(place.clone, 'a change without a build');
    const { exitCode, output } = await publish(place, { args: ['--yes'] });
    expect(output).toContain('The last commit has a dist/ of other sources.');
    expect([exitCode, gitlab.changes]).toEqual([1, []]);
  });

  test('names the folder if it is no clone', async () => {
    rmSync(join(place.clone, '.git'), { recursive: true });
    const { exitCode, output } = await publish(place, { args: ['--yes'] });
    expect(output).toContain(`fix  Run the command in a clone that Git accepts: git -C `);
    expect([exitCode, gitlab.changes]).toEqual([1, []]);
  });

  test('refuses an archived project', async () => {
    await publish(place, { args: ['--yes'] });
    Object.assign(gitlab.project ?? {}, { archived: true });
    const { output } = await publish(place, { args: ['--yes'] });
    expect(output).toContain('is archived.');
  });
});

describe('the pipeline', () => {
  test('the error names the failed job, and the next run retries the pipeline', async () => {
    gitlab.statuses = ['running', 'failed'];
    const first = await publish(place, { args: ['--yes'] });
    expect(first.exitCode).toBe(1);
    expect(first.output).toContain('/-/pipelines/501 ended with the status failed.');
    expect(first.output).toMatch(/why {2}Job image: script_failure \(\S+\/-\/jobs\/5\)\./);
    gitlab.statuses = ['running', 'success'];
    gitlab.changes.length = 0;
    const second = await publish(place, { args: ['--yes'] });
    expect(second.output).toContain('Retrying this pipeline.');
    expect(second.exitCode).toBe(0);
    expect(gitlab.changes).toEqual(['POST /api/v4/projects/11/pipelines/501/retry']);
  });

  test('the command starts one pipeline if GitLab created none', async () => {
    gitlab.creates = false;
    gitlab.faults = [{ call: /\/pipeline$/, with: 'lost', times: 1 }];
    const args = ['--yes', '--wait-minutes', '0.05'];
    const { exitCode } = await publish(place, { args });
    expect(exitCode).toBe(0);
    expect(gitlab.changes).toEqual([...done, 'POST /api/v4/projects/11/pipeline']);
  });

  test('the error names the runner settings if no runner takes the job', async () => {
    gitlab.statuses = ['pending'];
    const { exitCode, output } = await publish(place, {
      args: ['--yes', '--wait-minutes', '0.02'],
    });
    expect(exitCode).toBe(1);
    expect(output).toContain('its status is pending.');
    expect(output).toContain('/-/settings/ci_cd (Runners)');
  });
});

describe('an interrupted run', () => {
  test.each<[string, (to: FakeGitLab) => boolean]>([
    ['after the project', (to) => to.project !== undefined],
    ['after the catalog', (to) => to.inCatalog],
    ['after the push', (to) => to.pipeline !== undefined],
  ])('the same command resumes a run that was killed %s', async (_, killWhen) => {
    const killed = await publish(place, { args: ['--yes'], killWhen: () => killWhen(gitlab) });
    expect(killed.exitCode).toBeNull();
    const { exitCode } = await publish(place, { args: ['--yes'] });
    expect(exitCode).toBe(0);
    expect(gitlab.changes).toEqual(done);
  });

  test('ends with 130 after SIGINT, while it waits for the pipeline', async () => {
    gitlab.statuses = ['pending'];
    const { exitCode, output } = await publish(place, {
      args: ['--yes'],
      killWhen: () => (gitlab.pipeline?.read ?? 0) > 2,
      signal: 'SIGINT',
    });
    expect(output).toContain('✖ publish: Cancelled.\n  now  Finished steps stay.');
    expect(exitCode).toBe(130);
  });
});
