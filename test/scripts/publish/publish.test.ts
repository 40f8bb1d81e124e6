import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { commitAll, openPublishPlace, type PublishPlace, publish } from './clone.ts';
import { type FakeGitLab, token } from './fake-gitlab.ts';
import { runGit } from './git-server.ts';

let gitlab: FakeGitLab;
let place: PublishPlace;

beforeEach(async () => {
  place = await openPublishPlace();
  gitlab = place.gitlab;
});

afterEach(() => place.close());

const show = (path: string) => runGit(gitlab.repository, 'show', `0.1.0:${path}`);

test('creates the project, adds it to the catalog, pushes, waits and prints the address', async () => {
  const { exitCode, output } = await publish(place, { args: ['--yes'] });
  expect(output).toContain(
    '  - component: $CI_SERVER_FQDN/Platform/tools/hosted-runner-deploy/deploy@0.1.0\n',
  );
  expect(exitCode).toBe(0);
  expect(gitlab.changes).toEqual([
    'POST /api/v4/projects',
    'POST /api/graphql mutation',
    'git push',
  ]);
  expect(gitlab.project).toMatchObject({
    visibility: 'internal',
    ci_config_path: '.gitlab/publish.gitlab-ci.yml',
    description: expect.stringMatching(/\w/),
  });
  expect(output).toContain(
    'Release: 0.1.0. Image: platform/tools/hosted-runner-deploy:0.1.0-terraform. CI/CD catalog: listed.',
  );
});

test('writes the addresses of the mirror into the pushed commit only', async () => {
  await publish(place, { args: ['--yes', '--runner-tag', 'operations'] });
  const files = ['templates/deploy/template.yml', 'src/domain/project.ts', 'dist/program.js'];
  expect(files.map((path) => show(path).includes('hosted-runner/hosted-runner-deploy'))).toEqual([
    false,
    false,
    false,
  ]);
  expect(show('templates/deploy/template.yml')).toContain(
    '"$CI_REGISTRY/platform/tools/hosted-runner-deploy:0.1.0-terraform"',
  );
  expect(show('templates/deploy/README.md')).toContain(
    '$CI_SERVER_FQDN/Platform/tools/hosted-runner-deploy/deploy@0.1.0',
  );
  expect(show('dist/program.js')).toContain(
    `address="${gitlab.url}/Platform/tools/hosted-runner-deploy"`,
  );
  expect(show('dist/made-from.txt')).toMatch(/^[0-9a-f]{64}$/);
  expect(parse(show('.gitlab/publish.gitlab-ci.yml'))).toMatchObject({
    default: { tags: ['operations'] },
    stages: ['image', 'release'],
  });
  expect(runGit(place.clone, 'status', '--porcelain')).toBe('');
  expect(runGit(place.clone, 'log', '--all', '--format=%s')).toBe('the first');
  expect(runGit(gitlab.repository, 'rev-parse', 'main')).toBe(
    runGit(gitlab.repository, 'rev-parse', '0.1.0'),
  );
});

test('changes nothing in a second run', async () => {
  await publish(place, { args: ['--yes'] });
  gitlab.changes.length = 0;
  const { exitCode, output } = await publish(place, { args: ['--yes'] });
  expect({ exitCode, changes: gitlab.changes }).toEqual({ exitCode: 0, changes: [] });
  expect(output).toContain('  1. Project: unchanged.\n  2. CI/CD catalog: unchanged.\n');
  expect(output).toContain('  3. Branch and tag 0.1.0: unchanged.\n');
});

test('changes nothing in a dry run, and nothing without a confirmation', async () => {
  const dry = await publish(place, { args: ['--dry-run'] });
  expect(dry.output).toContain(
    '  1. Create the project Platform/tools/hosted-runner-deploy (visibility: internal).\n',
  );
  const unconfirmed = await publish(place);
  expect(unconfirmed.output).toContain('the same command with --yes.');
  expect([dry.exitCode, unconfirmed.exitCode, gitlab.changes]).toEqual([0, 1, []]);
});

test('publishes the next version on top of the previous one', async () => {
  await publish(place, { args: ['--yes'] });
  const file = join(place.clone, 'package.json');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('"version": "0.1.0"', '"version": "0.2.0"'),
  );
  commitAll(place.clone, 'the second');
  const { exitCode } = await publish(place, { args: ['--yes', '--wait-minutes', '0'] });
  expect(exitCode).toBe(0);
  expect(gitlab.listTags()).toBe('0.1.0\n0.2.0');
  expect(runGit(gitlab.repository, 'log', '--format=%s', 'main')).toBe(
    'Publish hosted-runner-deploy 0.2.0\nPublish hosted-runner-deploy 0.1.0',
  );
});

test('refuses to change a tag that has other content', async () => {
  await publish(place, { args: ['--yes'] });
  const before = runGit(gitlab.repository, 'show-ref');
  writeFileSync(join(place.clone, 'LICENSE'), 'changed');
  commitAll(place.clone, 'a change without a version');
  const { exitCode, output } = await publish(place, { args: ['--yes'] });
  expect(exitCode).toBe(1);
  expect(output).toContain('✖ publish: The tag 0.1.0 exists in ');
  expect(output).toContain('npm version patch');
  expect(runGit(gitlab.repository, 'show-ref')).toBe(before);
});

test('refuses to replace a branch that has commits of others', async () => {
  await publish(place, { args: ['--yes'] });
  const work = join(place.folder, 'work');
  runGit(place.folder, 'clone', '--quiet', gitlab.repository, work);
  writeFileSync(join(work, 'own.txt'), 'own');
  commitAll(work, 'own');
  runGit(work, 'push', '--quiet', 'origin', 'main', ':refs/tags/0.1.0');
  const before = runGit(gitlab.repository, 'show-ref');
  const { exitCode, output } = await publish(place, { args: ['--yes'] });
  expect(exitCode).toBe(1);
  expect(output).toMatch(/The last commit \w{8} of main in \S+ was not made by this command\./);
  expect(runGit(gitlab.repository, 'show-ref')).toBe(before);
});

test('keeps the token out of the output, the clones and the repository', async () => {
  const traced = { GIT_TRACE: '1', GIT_CURL_VERBOSE: '1', GIT_TRACE_CURL: '1' };
  const { output } = await publish(place, { args: ['--yes'], env: traced });
  const secrets = [token, Buffer.from(`oauth2:${token}`).toString('base64')];
  const config = runGit(place.clone, 'config', '--list');
  for (const text of [output, config, runGit(gitlab.repository, 'log', '-p', '--all')])
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  // Git needs the token: each first request without it is refused.
  expect(gitlab.gitRefusals).toEqual([]);
});

test('cannot push with another token', async () => {
  const wrong = { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-wrong' };
  const { exitCode, output } = await publish(place, { args: ['--yes'], env: wrong });
  expect(output).toContain('refused the token in HOSTED_RUNNER_GITLAB_TOKEN.');
  expect(output).toContain(`${gitlab.url}/-/user_settings/personal_access_tokens`);
  expect([exitCode, gitlab.changes]).toEqual([1, []]);
});
