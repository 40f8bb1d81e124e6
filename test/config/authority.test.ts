import { describe, expect, test } from '@jest/globals';
import { fleet, load, loadStack, minimal, problemsOf, refusal, withKeys } from './loading.ts';

const silent = minimal.replace(/ {2}gitlab:\n.*\n/, '');
const ci = {
  GITLAB_CI: 'true',
  CI_SERVER_URL: 'https://ci.example.com',
  CI_API_V4_URL: 'https://ci.example.com/api/v4',
  CI_SERVER_HOST: 'ci.example.com',
};

describe('where the token goes is said by the file', () => {
  const variable = (url: string) => ({ HOSTED_RUNNER_GITLAB_URL: url });

  test.each([
    ['the same address', 'https://gitlab.example.com'],
    ['the same address in other letters', 'https://GitLab.example.com/'],
  ])('a variable may repeat it: %s', async (_name, url) => {
    expect((await loadStack({ environment: variable(url) })).gitlabUrl).toBe(
      'https://gitlab.example.com',
    );
  });

  test('a variable may lead to this machine, where a sandbox is', async () => {
    const environment = variable('http://127.0.0.1:3000');
    expect((await loadStack({ environment })).gitlabUrl).toBe('http://127.0.0.1:3000');
  });

  test.each([
    'https://evil.example',
    'https://gitlab.example.com.evil.example',
    'https://gitlab.example.com:8443',
    'https://gitlab.example.com/other',
  ])('a variable does not lead it to %s', async (url) => {
    expect(await problemsOf({ text: minimal, environment: variable(url) })).toEqual([
      `HOSTED_RUNNER_GITLAB_URL: gitlab.url: a variable may not send the token elsewhere: the file says "https://gitlab.example.com", and this is "${url}"`,
    ]);
  });

  test("nor does it in a job of GitLab's: the file is louder than the CI", async () => {
    const environment = { ...ci, ...variable('https://ci.example.com') };
    expect(await problemsOf({ text: minimal, environment })).toHaveLength(1);
  });

  test('where the file is silent, a variable may say what the CI says, and nothing else', async () => {
    const same = { ...ci, ...variable('https://ci.example.com/') };
    expect((await loadStack({ text: silent, environment: same })).gitlabUrl).toBe(
      'https://ci.example.com',
    );
    const other = { ...ci, ...variable('https://evil.example') };
    expect(await problemsOf({ text: silent, environment: other })).toEqual([
      'HOSTED_RUNNER_GITLAB_URL: gitlab.url: a variable may not send the token elsewhere: the CI says "https://ci.example.com", and this is "https://evil.example"',
    ]);
    expect(
      await problemsOf({ text: silent, environment: variable('https://evil.example') }),
    ).toEqual([
      'HOSTED_RUNNER_GITLAB_URL: gitlab.url: a variable may not say alone where the token goes; write gitlab.url: https://evil.example into the file',
    ]);
  });

  test('what a person types is theirs to say', async () => {
    const stack = await loadStack({ overrides: ['gitlab.url=https://other.example'] });
    expect(stack.gitlabUrl).toBe('https://other.example');
  });

  test('a variable does not add a server that metrics are asked of, nor move the webhook', async () => {
    const environment = {
      HOSTED_RUNNER_BAKE_SIGNALS_PROMETHEUS:
        '[{"query":"up","url":"https://evil.example","above":1}]',
      HOSTED_RUNNER_BAKE_SIGNALS_WEBHOOK_URL: 'https://evil.example',
    };
    expect(await problemsOf({ text: minimal, environment })).toEqual([
      'HOSTED_RUNNER_BAKE_SIGNALS_PROMETHEUS: bake.signals.prometheus: a variable may not say where a token goes; write bake.signals.prometheus into the file',
      'HOSTED_RUNNER_BAKE_SIGNALS_WEBHOOK_URL: bake.signals.webhook.url: a variable may not say alone where the token goes; write bake.signals.webhook.url: https://evil.example into the file',
    ]);
  });

  test("the token of GitHub goes to GitHub's address", async () => {
    const environment = { HOSTED_RUNNER_GITHUB_URL: 'https://evil.example' };
    expect(await problemsOf({ text: fleet, environment })).toEqual([
      'HOSTED_RUNNER_GITHUB_URL: github.url: a variable may not send the token elsewhere: the file says "https://github.com", and this is "https://evil.example"',
    ]);
  });
});

describe("a pipeline's variable in place of the CI's own server", () => {
  test.each([
    ['CI_API_V4_URL', 'https://ci.example.com/api/v4'],
    ['CI_SERVER_HOST', 'ci.example.com'],
    ['CI_SERVER_FQDN', 'ci.example.com'],
    ['CI_PROJECT_URL', 'https://ci.example.com/a/b'],
    ['CI_JOB_URL', 'https://ci.example.com/a/b/-/jobs/1'],
  ])('is known by %s', async (name, value) => {
    const environment = {
      GITLAB_CI: 'true',
      CI_SERVER_URL: 'https://evil.example',
      [name]: value,
    };
    expect(await problemsOf({ text: silent, environment })).toEqual([
      `CI_SERVER_URL: gitlab.url: ${name} names another server, so one of the two is not the CI's own; write gitlab.url into the file`,
    ]);
  });

  test('changes nothing where the file says where GitLab is', async () => {
    const environment = { ...ci, CI_SERVER_URL: 'https://evil.example' };
    expect((await loadStack({ environment })).gitlabUrl).toBe('https://gitlab.example.com');
  });
});

describe('a key that the file locks', () => {
  const locked = `${withKeys('drain: {force_after: 2h}')}locked: [drain, infrastructure.apply]\n`;

  test.each([
    [
      'a variable',
      { environment: { HOSTED_RUNNER_DRAIN_FORCE_AFTER: '30s' } },
      'HOSTED_RUNNER_DRAIN_FORCE_AFTER: drain.force_after: the file locks this key; only the file gives it a value',
    ],
    [
      'a flag',
      { overrides: ['infrastructure.apply=["./mine","{shard}"]'] },
      '--set infrastructure.apply: infrastructure.apply: the file locks this key; only the file gives it a value',
    ],
    [
      'a variable for a key that the file leaves at its default',
      { environment: { HOSTED_RUNNER_DRAIN_TIMEOUT: '1h' } },
      'HOSTED_RUNNER_DRAIN_TIMEOUT: drain.timeout: the file locks this key; only the file gives it a value',
    ],
  ])('is closed to %s', async (_name, given, problem) => {
    expect(await problemsOf({ text: locked, ...given })).toEqual([problem]);
  });

  test('may be repeated as it stands: a template passes on what it was given', async () => {
    const environment = { HOSTED_RUNNER_DRAIN_FORCE_AFTER: '120m' };
    expect((await loadStack({ text: locked, environment })).drain.forceAfterMs).toBe(7_200_000);
  });

  test('leaves the others open', async () => {
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
  ])('has a name: %s', async (list, problem) => {
    expect(await problemsOf({ text: `${minimal}locked: ${list}\n` })).toEqual([
      `hosted-runners.yml:${problem}`,
    ]);
  });
});

describe('the file itself', () => {
  test.each(['/builds/acme/deploy.tmp/HOSTED_RUNNER_CONFIG', '../deploy.tmp/OTHER'])(
    'is not one that a variable carries: %s',
    async (path) => {
      const { loadConfiguration } = await import('../../src/config/load.ts');
      const error = await refusal(() =>
        loadConfiguration({
          readFile: async () => minimal,
          environment: { HOSTED_RUNNER_CONFIG: path },
        }),
      );
      expect(error?.fields.why).toEqual([
        `HOSTED_RUNNER_CONFIG: ${path} is the file of a CI variable; a variable may name a file of the repository, not be one`,
      ]);
    },
  );

  test('may be any other', async () => {
    expect(await refusal(() => load())).toBeUndefined();
  });
});
