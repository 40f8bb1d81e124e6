import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openFolder } from '../../src/cli/starting/folder.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { fleet, loadStack, minimal, problemsOf, refusal, withKeys } from './loading.ts';

const withoutUrl = minimal.replace(/ {2}gitlab:\n.*\n/, '');

describe('the file as the source of the token’s destination', () => {
  const variable = (url: string) => ({ HOSTED_RUNNER_GITLAB_URL: url });

  test.each([
    ['the same address', 'https://gitlab.example.com'],
    ['the same address in other letters', 'https://GitLab.example.com/'],
  ])('a variable may repeat it: %s', async (_name, url) => {
    expect((await loadStack({ environment: variable(url) })).gitlabUrl).toBe(
      'https://gitlab.example.com',
    );
  });

  test('a variable may select this machine, for a sandbox', async () => {
    const environment = variable('http://127.0.0.1:3000');
    expect((await loadStack({ environment })).gitlabUrl).toBe('http://127.0.0.1:3000');
  });

  test.each([
    'https://evil.example',
    'https://gitlab.example.com.evil.example',
    'https://gitlab.example.com:8443',
    'https://gitlab.example.com/other',
  ])('a variable may not select %s', async (url) => {
    expect(await problemsOf({ text: minimal, environment: variable(url) })).toEqual([
      `HOSTED_RUNNER_GITLAB_URL: gitlab.url: a variable may not send the token to another address: the file has "https://gitlab.example.com", the variable "${url}"`,
    ]);
  });

  test('a variable alone may not select any destination if the file names none', async () => {
    expect(
      await problemsOf({ text: withoutUrl, environment: variable('https://evil.example') }),
    ).toEqual([
      'HOSTED_RUNNER_GITLAB_URL: gitlab.url: a variable alone may not choose where the token is sent; write gitlab.url: https://evil.example into the file',
    ]);
  });

  test('a typed flag may select any destination', async () => {
    const stack = await loadStack({ overrides: ['gitlab.url=https://other.example'] });
    expect(stack.gitlabUrl).toBe('https://other.example');
  });

  test('a variable may neither add a metrics server nor change the webhook', async () => {
    const environment = {
      HOSTED_RUNNER_BAKE_SIGNALS_PROMETHEUS:
        '[{"query":"up","url":"https://evil.example","above":1}]',
      HOSTED_RUNNER_BAKE_SIGNALS_WEBHOOK_URL: 'https://evil.example',
    };
    expect(await problemsOf({ text: minimal, environment })).toEqual([
      'HOSTED_RUNNER_BAKE_SIGNALS_PROMETHEUS: bake.signals.prometheus: a variable may not choose where a token is sent; set bake.signals.prometheus in the file',
      'HOSTED_RUNNER_BAKE_SIGNALS_WEBHOOK_URL: bake.signals.webhook.url: a variable alone may not choose where the token is sent; write bake.signals.webhook.url: https://evil.example into the file',
    ]);
  });

  test('the token of GitHub follows the same rule', async () => {
    const environment = { HOSTED_RUNNER_GITHUB_URL: 'https://evil.example' };
    expect(await problemsOf({ text: fleet, environment })).toEqual([
      'HOSTED_RUNNER_GITHUB_URL: github.url: a variable may not send the token to another address: the file has "https://github.com", the variable "https://evil.example"',
    ]);
  });
});

describe("GitLab's own variables, which do not select the token’s destination", () => {
  const everyWitness = {
    GITLAB_CI: 'true',
    CI_SERVER_URL: 'https://evil.example',
    CI_API_V4_URL: 'https://evil.example/api/v4',
    CI_SERVER_HOST: 'evil.example',
    CI_SERVER_FQDN: 'evil.example',
    CI_PROJECT_URL: 'https://evil.example/a/b',
    CI_JOB_URL: 'https://evil.example/a/b/-/jobs/1',
  };
  const missing =
    'hosted-runners.yml:10:3: stacks.linux: gitlab.url is missing (address of GitLab, without /api/v4)';

  test('refuses a file without gitlab.url, if every variable names the same server', async () => {
    expect(await problemsOf({ text: withoutUrl, environment: everyWitness })).toEqual([
      `${missing}; if this pipeline's GitLab is https://evil.example (CI_SERVER_URL), write gitlab.url: https://evil.example into the file`,
    ]);
  });

  test.each(['', 'http://evil.example', 'https://a b', 'https://x@evil.example'])(
    'proposes no address from CI_SERVER_URL %j',
    async (url) => {
      const environment = { ...everyWitness, CI_SERVER_URL: url };
      expect(await problemsOf({ text: withoutUrl, environment })).toEqual([missing]);
    },
  );

  test('changes nothing if the file gives gitlab.url', async () => {
    expect((await loadStack({ environment: everyWitness })).gitlabUrl).toBe(
      'https://gitlab.example.com',
    );
  });

  test('gives a stack of GitHub no GitLab to query for its pipelines', async () => {
    const { ciServers } = await loadStack({ text: fleet, environment: everyWitness });
    expect(ciServers).toEqual({ github: 'https://github.com' });
  });

  test('takes the GitLab of such a stack from the file', async () => {
    const text = fleet.replace(
      '    runners:',
      '    gitlab: {url: https://gitlab.example.com}\n    runners:',
    );
    const { ciServers } = await loadStack({ text, environment: everyWitness });
    expect(ciServers.gitlab).toBe('https://gitlab.example.com');
  });
});

describe('the destination of a workflow’s token, which the file names', () => {
  const inGitHub = (api: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_API_URL: api });
  const onServer = withKeys('github: {url: https://ghe.example.com}');

  test.each([
    ['github.com, by default', minimal, 'https://api.github.com'],
    ['an Enterprise Server', onServer, 'https://ghe.example.com/api/v3'],
    ['the sandbox', minimal, 'http://127.0.0.1:4000'],
    ['the same address with a slash', onServer, 'https://ghe.example.com/api/v3/'],
  ])('accepts %s', async (_name, text, api) => {
    expect(await problemsOf({ text, environment: inGitHub(api) })).toEqual([]);
  });

  test('refuses a different GitHub', async () => {
    expect(
      await problemsOf({ text: minimal, environment: inGitHub('https://ghe.example.com/api/v3') }),
    ).toEqual([
      'hosted-runners.yml:12:3: github.url: GITHUB_API_URL is "https://ghe.example.com/api/v3", but the API of https://github.com is https://api.github.com; write the address of the GitHub that runs this workflow into the file',
    ]);
  });
});

describe('a key that the file locks', () => {
  const locked = `${withKeys('drain: {force_after: 2h}')}locked: [drain, infrastructure.apply]\n`;

  test.each([
    [
      'a variable',
      { environment: { HOSTED_RUNNER_DRAIN_FORCE_AFTER: '30s' } },
      'HOSTED_RUNNER_DRAIN_FORCE_AFTER: drain.force_after: the file locks this key, so only the file can set it',
    ],
    [
      'a flag',
      { overrides: ['infrastructure.apply=["./mine","{shard}"]'] },
      '--set infrastructure.apply: infrastructure.apply: the file locks this key, so only the file can set it',
    ],
    [
      'a variable for a key that the file leaves at its default',
      { environment: { HOSTED_RUNNER_DRAIN_TIMEOUT: '1h' } },
      'HOSTED_RUNNER_DRAIN_TIMEOUT: drain.timeout: the file locks this key, so only the file can set it',
    ],
  ])('refuses %s', async (_name, given, problem) => {
    expect(await problemsOf({ text: locked, ...given })).toEqual([problem]);
  });

  test('accepts the same value, as a template passes its inputs on', async () => {
    const environment = { HOSTED_RUNNER_DRAIN_FORCE_AFTER: '120m' };
    expect((await loadStack({ text: locked, environment })).drain.forceAfterMs).toBe(7_200_000);
  });

  test('leaves the other keys open', async () => {
    const environment = { HOSTED_RUNNER_MANAGERS: '3' };
    expect((await loadStack({ text: locked, environment })).managers).toBe(3);
  });

  test.each([
    [
      '[drain.force_afer]',
      '13:10: locked: unknown key "drain.force_afer"; did you mean "drain.force_after"?',
    ],
    ['yes', '13:9: locked: expected a list of keys such as [drain.force_after]'],
    ['[{a: b}]', '13:10: locked: expected a list of keys such as [drain.force_after]'],
  ])('must be a list of key names: %s', async (list, problem) => {
    expect(await problemsOf({ text: `${minimal}locked: ${list}\n` })).toEqual([
      `hosted-runners.yml:${problem}`,
    ]);
  });
});

describe('the choice of the configuration file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'variable-file-'));
    for (const name of ['deploy', 'deploy.tmp']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'deploy', 'other.yml'), minimal);
    writeFileSync(join(folder, 'deploy.tmp', 'EVIL'), minimal);
    symlinkSync('../deploy.tmp/EVIL', join(folder, 'deploy', 'link.yml'));
    symlinkSync('../deploy.tmp', join(folder, 'deploy', 'linked'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const loadNamed = (path: string) =>
    refusal(() =>
      loadConfiguration({
        files: openFolder(join(folder, 'deploy')),
        environment: { HOSTED_RUNNER_CONFIG: path },
      }),
    );

  test.each([
    '../deploy.tmp/EVIL',
    '../deploy.tmp//EVIL',
    '../deploy.tmp/./EVIL',
    '..//deploy.tmp/EVIL',
    '../deploy/../deploy.tmp/EVIL',
    '../deploy.tmp/../deploy.tmp/EVIL',
    '../deploy.tmp/ABSENT',
    'link.yml',
    'linked/EVIL',
    '/proc/self/environ',
  ])('never comes from a variable’s text: %s', async (path) => {
    expect((await loadNamed(path))?.fields.why).toEqual([
      `HOSTED_RUNNER_CONFIG: ${path} is the file of a CI variable; the variable must contain the path of a file in the repository`,
    ]);
  });

  test.each(['other.yml', './other.yml', '../deploy/other.yml'])(
    'may be any other file that the variable names: %s',
    async (path) => {
      expect(await loadNamed(path)).toBeUndefined();
    },
  );
});
