import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/program.ts';
import { loadStack, problemsOf } from './loading.ts';

const example = readFileSync(join(root, 'examples/github-runners/hosted-runners.yml'), 'utf8');

describe('a stack of GitHub’s runners', () => {
  test('loads from the example', async () => {
    const settings = await loadStack({ text: example }, 'linux-large');
    expect(settings).toMatchObject({
      gitlabUrl: 'https://github.com',
      github: {
        scope: { kind: 'organization', organization: 'acme' },
        app: { appId: 123456, installationId: 7654321 },
        secretParameter: '/github/hosted-runners/private_key',
      },
      canary: { kind: 'workflow', repository: 'acme/infrastructure' },
      host: { process: { kind: 'actions_runner', unit: 'actions-runner' } },
    });
  });

  test('waits longer than GitHub needs to assign an unstarted job again', async () => {
    const { drain } = await loadStack({ text: example }, 'linux-large');
    expect(drain.pollOfRunnerMs).toBe(90_000);
  });

  test.each<[string, string, RegExp]>([
    ['observed customers', 'healthcheck.evidence.observe=required', /write off$/],
    ['jobs without a label', 'registration.run_untagged=true', /write false$/],
    ['a canary of GitLab', 'canary.kind=job', /need canary\.kind workflow/],
    ['two scopes', 'github.repository=acme/app', /only one of/],
    ['the runner of GitLab', 'host.kind=docker', /need actions_runner$/],
    [
      'only some of the groups',
      'github.closed_group=Closed',
      /also need github\.quarantine_group$/,
    ],
  ])('refuses %s', async (_, override, text) => {
    const [problem, ...others] = await problemsOf({ text: example, overrides: [override] });
    expect(problem).toMatch(text);
    expect(others).toEqual([]);
  });

  const ofRepository = example.replace('organization: acme', 'repository: acme/app');
  const apart = ['github.quarantine_group=Quarantine', 'github.closed_group=Closed'];

  test('separates its runners with three groups', async () => {
    const { github } = await loadStack({ text: example, overrides: apart }, 'linux-large');
    expect(github?.groups).toEqual({
      production: 'Default',
      apart: { quarantine: 'Quarantine', closed: 'Closed' },
    });
  });

  test.each([
    ['github.runner_group', ['github.runner_group=Fleet']],
    ['github.quarantine_group', apart],
  ])('refuses %s if a repository has the runners', async (name, overrides) => {
    const [problem] = await problemsOf({ text: ofRepository, overrides });
    expect(problem).toContain(`${name}: runners of a repository have no group; remove the key`);
  });

  test('uses the default group if a repository has the runners', async () => {
    expect(await problemsOf({ text: ofRepository })).toEqual([]);
  });

  test.each([
    ['the closed group', ['github.quarantine_group=Closed', 'github.closed_group=closed']],
    ['the production group', ['github.quarantine_group=Default', 'github.closed_group=Closed']],
  ])('refuses a quarantine group that is %s', async (_, overrides) => {
    const [problem] = await problemsOf({ text: example, overrides });
    expect(problem).toMatch(/quarantine_group and closed_group must be three different groups$/);
  });
});
