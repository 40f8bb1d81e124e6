import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readTyped } from '../../src/cli/command-text.ts';
import { openFolder } from '../../src/cli/starting/folder.ts';
import { initialise } from '../../src/cli/starting/init.ts';
import { parseRemote } from '../../src/cli/starting/repository.ts';
import { validateConfiguration } from '../../src/cli/validate-command.ts';
import { projectAddress, version } from '../../src/domain/project.ts';
import { refusal } from '../config/loading.ts';
import { read } from '../structure/tree.ts';
import { fill, init } from './initialised.ts';

const remote = (url: string) => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`;

describe('the file that init writes, with its marked places filled in', () => {
  test.each<[string, Record<string, string>, { ci?: 'gitlab' | 'github'; terraform?: boolean }]>([
    ['in an empty folder', {}, {}],
    ['for GitHub', {}, { ci: 'github' }],
    ['with Terraform', { 'infra/main.tf': 'variable shard {}\nvariable runner_name {}\n' }, {}],
    ['with a root module that init writes', {}, { terraform: true }],
    ['with Pulumi', { 'a/b/Pulumi.yaml': '' }, {}],
    ['with the CDK', { 'cdk/cdk.json': '' }, {}],
    ['with the CDK in the top folder', { 'cdk.json': '' }, {}],
  ])('validates %s', async (_name, files, options) => {
    const { surroundings } = await init(files, options);
    const common = { overrides: [], color: true };
    const before = await refusal(() => validateConfiguration(common, surroundings));
    expect(before?.fields.why?.every((line) => line.endsWith(': replace FILL_IN by a value'))).toBe(
      true,
    );
    const { files: there } = surroundings.folder;
    for (const [path, text] of Object.entries(there)) there[path] = fill(text);
    expect(await validateConfiguration(common, surroundings)).toBe(0);
  });
});

test('init names every place that an operator has to fill in, as validate does', async () => {
  const { text, surroundings } = await init({}, { ci: 'github' });
  const error = await refusal(() =>
    validateConfiguration({ overrides: [], color: true }, surroundings),
  );
  const lineOf = (text: string) => /^ *hosted-runners\.yml:(\d+)/.exec(text)?.[1];
  const places = text
    .split('\n')
    .map(lineOf)
    .filter((line) => line !== undefined);
  expect(places).toEqual(error?.fields.why?.map(lineOf));
  expect(places.length).toBe(5);
});

test('init reports its findings and the remaining steps', async () => {
  const { text } = await init({
    '.git/config': remote('git@gitlab.example.com:acme/runners.git'),
    'infra/main.tf': '',
    'node_modules/x/main.tf': '',
  });
  expect(text).toBe(`✔ Wrote hosted-runners.yml.
✔ Wrote .gitlab-ci.yml.
  CI: GitLab, because the git remote points to it (acme/runners)
  GitLab: https://gitlab.example.com (from the git remote)
  Infrastructure: terraform in infra

Fill in:
  hosted-runners.yml:18  group_id: FILL_IN # the group's id in GitLab
  hosted-runners.yml:50  tags: [FILL_IN] # the tags that customers use in their jobs
  .gitlab-ci.yml:14  - component: $CI_SERVER_FQDN/FILL_IN/hosted-runner-deploy/deploy@${version}
  .gitlab-ci.yml:17  runner_tags: &runner_tags [FILL_IN] # tags of a protected runner outside the stacks
  .gitlab-ci.yml:22  - component: $CI_SERVER_FQDN/FILL_IN/hosted-runner-deploy/finalize@${version}
Then check it: hosted-runner validate

Add HOSTED_RUNNER_GITLAB_TOKEN as a CI/CD variable (masked and hidden, protected, environment scope hosted-runner/*).
Create the two schedules that .gitlab-ci.yml describes.
This command sets the variable, the hourly schedule and the settings of the project:
  hosted-runner setup gitlab --store-token
`);
});

describe('the detection of the CI', () => {
  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['from variables', {}, { GITHUB_ACTIONS: 'true' }, 'CI: GitHub, because it runs this command'],
    [
      'from the git remote',
      { '.git/config': remote('https://github.com/acme/app') },
      {},
      'CI: GitHub, because the git remote points to it (acme/app)',
    ],
    [
      'from its workflows',
      { '.github/workflows/a.yml': '' },
      {},
      'CI: GitHub, because .github/workflows exists',
    ],
    [
      'from its pipeline',
      { '.gitlab-ci.yml': '', '.github/workflows/a.yml': '' },
      {},
      'CI: GitLab, because .gitlab-ci.yml exists',
    ],
    ['by default', {}, {}, 'CI: GitLab, because no other CI was detected'],
  ])('comes %s', async (_name, files, environment, line) => {
    expect((await init(files, { environment })).text).toContain(`  ${line}\n`);
  });

  test('takes the server from GitLab CI', async () => {
    const environment = { GITLAB_CI: 'true', CI_SERVER_URL: 'https://ci.example.com' };
    expect((await init({}, { environment })).written).toContain(
      '    url: https://ci.example.com\n',
    );
  });
});

describe('the git remote', () => {
  test.each([
    ['https://gitlab.example.com/acme/app.git', 'gitlab.example.com', 'acme/app'],
    ['https://oauth2:secret@gitlab.example.com/acme/app', 'gitlab.example.com', 'acme/app'],
    ['git@gitlab.example.com:acme/sub/app.git', 'gitlab.example.com', 'acme/sub/app'],
    ['ssh://git@gitlab.example.com:2222/acme/app.git', 'gitlab.example.com', 'acme/app'],
  ])('reads %s', (url, host, path) => {
    expect(parseRemote(remote(url))).toEqual({ host, path });
  });

  test.each(['/srv/git/app.git', '../app', 'C:\\git\\app', 'https://gitlab.example.com/a b', ''])(
    'names no host in %s',
    (url) => {
      expect(parseRemote(remote(url))).toBeUndefined();
    },
  );

  test('defaults to origin if there are several', () => {
    const config = `[remote "fork"]\n\turl = git@a.example:x/y\n${remote('git@b.example:z/w')}`;
    expect(parseRemote(config)?.host).toBe('b.example');
  });
});

describe('an existing configuration file', () => {
  test('stays unchanged', async () => {
    const files = { 'hosted-runners.yml': 'mine' };
    const error = await refusal(() => init(files));
    expect(files['hosted-runners.yml']).toBe('mine');
    expect(error?.fields).toEqual({
      code: 'FileExists',
      exitCode: 2,
      what: 'hosted-runners.yml already exists and was not overwritten.',
      now: 'Nothing was touched.',
      fix: [
        'Check the existing file: hosted-runner validate',
        'Add a stack such as arm to the file: hosted-runner init --stack arm',
        'Overwrite the file: hosted-runner init --force',
      ],
    });
  });

  test('stays unchanged if the environment names it in another folder', async () => {
    const environment = { HOSTED_RUNNER_CONFIG: '/sandbox/hosted-runners.yml' };
    const files = { '/sandbox/hosted-runners.yml': 'mine' };
    const error = await refusal(() => init(files, { environment }));
    expect(error?.fields).toMatchObject({
      why: ['HOSTED_RUNNER_CONFIG names it.'],
      fix: [
        'Write a configuration for this folder: hosted-runner init --config hosted-runners.yml',
        'Check the existing file: hosted-runner validate',
        'Overwrite the file: hosted-runner init --force',
      ],
    });
    const { text } = await init(files, { environment, config: 'hosted-runners.yml' });
    expect(text).toContain('Then check it: hosted-runner validate --config hosted-runners.yml\n');
  });

  test('causes an overwrite command with the requested CI', async () => {
    const error = await refusal(() => init({ 'hosted-runners.yml': 'mine' }, { ci: 'github' }));
    const argv = ['init', '--ci', 'github', '--json'];
    const typed = readTyped(argv, { command: 'init', redact: (text) => text });
    expect(error?.asTyped(typed).fields.fix).toContain(
      'Overwrite the file: hosted-runner init --ci github --json --force',
    );
  });

  test('can be overwritten with --force', async () => {
    const { written } = await init({ 'hosted-runners.yml': 'mine' }, { force: true });
    expect(written).toContain('version: 1');
  });
});

test('the first line of the file names the schema of the current version', async () => {
  const { written } = await init({}, {});
  const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(written ?? '') ?? [];
  const raw = `${projectAddress}/-/raw/${version}/`;
  expect(address.startsWith(raw)).toBe(true);
  expect(JSON.parse(read(address.slice(raw.length)))).toMatchObject({ $id: address });
});

test('the folder on disk behaves like the folder in memory', async () => {
  const root = await mkdtemp(join(tmpdir(), 'folder-'));
  try {
    const folder = openFolder(root);
    expect(await folder.read('a.yml')).toBeUndefined();
    expect(await folder.read('a.yml/b')).toBeUndefined();
    expect(await folder.write({ path: 'a.yml', text: 'one', overwrite: false })).toBe(true);
    expect(await folder.write({ path: 'a.yml', text: 'two', overwrite: false })).toBe(false);
    expect(await readFile(join(root, 'a.yml'), 'utf8')).toBe('one');
    expect(await folder.write({ path: 'a.yml', text: 'two', overwrite: true })).toBe(true);
    expect(await folder.read(join(root, 'a.yml'))).toBe('two');
    expect(await folder.list('.')).toEqual([{ name: 'a.yml', kind: 'file' }]);
    expect(await folder.list('nowhere')).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});

test('init names the file and the reason if it cannot write the file', async () => {
  const root = await mkdtemp(join(tmpdir(), 'init-'));
  const folder = openFolder(root);
  const surroundings = { folder, environment: {}, write: () => {}, show: () => {} };
  const options = { config: 'not-there/runners.yml', force: false, color: true, overrides: [] };
  const error = await refusal(() => initialise(options, surroundings));
  await rm(root, { recursive: true });
  expect(error?.fields).toMatchObject({
    code: 'BadUsage',
    exitCode: 2,
    what: 'not-there/runners.yml cannot be written (ENOENT).',
  });
});

describe('the AWS trust subjects that init prints for GitHub', () => {
  const files = () => ({ '.git/config': remote('git@github.com:acme/runners.git') });
  const subjects = (text: string) => text.split('\n').filter((line) => line.startsWith('repo:'));

  test('appear in both forms, with the command that prints the ids', async () => {
    const { text } = await init(files());
    expect(subjects(text)).toEqual([
      'repo:acme/runners:ref:refs/heads/main',
      'repo:acme@ID/runners@ID:ref:refs/heads/main',
    ]);
    expect(text).toContain(`gh api repos/acme/runners --jq '"\\(.owner.id) \\(.id)"'`);
  });

  test('contain the ids if a workflow provides them', async () => {
    const environment = { GITHUB_REPOSITORY_ID: '22222222', GITHUB_REPOSITORY_OWNER_ID: '1111111' };
    const { text } = await init(files(), { environment });
    expect(subjects(text)[1]).toBe('repo:acme@1111111/runners@22222222:ref:refs/heads/main');
    expect(text).not.toContain('gh api');
  });

  test('stay away for GitLab', async () => {
    expect(subjects((await init(files(), { ci: 'gitlab' })).text)).toEqual([]);
  });
});
