import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/program.ts';
import { loadStack, problemsOf } from './loading.ts';

const example = readFileSync(join(root, 'examples/github-runners/hosted-runners.yml'), 'utf8');

describe('a stack of GitHub’s runners', () => {
  test('is read from the example', async () => {
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

  test('is watched for longer than GitHub takes to give a job once more that nobody took up', async () => {
    const { drain } = await loadStack({ text: example }, 'linux-large');
    expect(drain.pollOfRunnerMs).toBe(90_000);
  });

  test.each<[string, string, RegExp]>([
    ['customers observed', 'healthcheck.evidence.observe=required', /write off$/],
    ['jobs without a label', 'registration.run_untagged=true', /write false$/],
    ['a canary of GitLab', 'canary.kind=job', /need canary\.kind workflow/],
    ['two scopes', 'github.repository=acme/app', /only one of/],
    ['the runner of GitLab', 'host.kind=docker', /need actions_runner$/],
    [
      'half of what keeps apart',
      'github.closed_group=Closed',
      /with github\.quarantine_group, too$/,
    ],
  ])('refuses %s', async (_, override, text) => {
    const [problem, ...others] = await problemsOf({ text: example, overrides: [override] });
    expect(problem).toMatch(text);
    expect(others).toEqual([]);
  });

  const ofRepository = example.replace('organization: acme', 'repository: acme/app');
  const apart = ['github.quarantine_group=Quarantine', 'github.closed_group=Closed'];

  test('is kept apart by three groups', async () => {
    const { github } = await loadStack({ text: example, overrides: apart }, 'linux-large');
    expect(github?.groups).toEqual({
      production: 'Default',
      apart: { quarantine: 'Quarantine', closed: 'Closed' },
    });
  });

  test.each([
    ['github.runner_group', ['github.runner_group=Fleet']],
    ['github.quarantine_group', apart],
  ])('refuses %s where a repository has the runners', async (name, overrides) => {
    const [problem] = await problemsOf({ text: ofRepository, overrides });
    expect(problem).toContain(`${name}: runners of a repository are in no group; leave it out`);
  });

  test('takes the default group where a repository has the runners', async () => {
    expect(await problemsOf({ text: ofRepository })).toEqual([]);
  });

  test.each([
    ['the closed one', ['github.quarantine_group=Closed', 'github.closed_group=closed']],
    ['the customers’', ['github.quarantine_group=Default', 'github.closed_group=Closed']],
  ])('refuses a quarantine that is %s', async (_, overrides) => {
    const [problem] = await problemsOf({ text: example, overrides });
    expect(problem).toMatch(/quarantine_group and closed_group are three groups$/);
  });
});
