import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  isProjectOf,
  withCanaryProbe,
} from '../../../src/adapters/gitlab/canary/canary-secrets.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const token = 'HOSTED_RUNNER_GITLAB_TOKEN';

let gitlab: SandboxGitLab;
beforeEach(() => {
  gitlab = createSandboxGitLab();
});
afterEach(() => gitlab.world.close());

async function probe(name: string, place: { project: number | string; isOwn: boolean }) {
  const { client } = gitlab;
  const registry = createGitLabRegistry({ client, scope });
  const own = await registry.probe(scope);
  const canary = { client, ...place, environment: { [name]: 'x' } };
  const all = await withCanaryProbe(registry, canary).probe(scope);
  return all.slice(own.length);
}

test.each([101, 'a project given by its path'])(
  'a canary of the project %s does not get the token of that project’s group',
  async (named) => {
    const body = { key: token, value: 'glpat-x' };
    await gitlab.client.raw.post('groups/10/variables', { body });
    const { body: found } = await gitlab.client.raw.get('projects/101');
    const { path_with_namespace: path } = found as { path_with_namespace: string };
    const project = typeof named === 'number' ? named : path;
    expect(await probe(token, { project, isOwn: false })).toEqual([
      {
        what: `variable ${token} without the scope *`,
        outcome: 'missing',
        detail:
          'the variable of group acme has the environment scope "*", so the canary gets it on a host that runs customer jobs; remove it there and define it in the project that deploys, with the scope hosted-runner/* (docs/use/gitlab.md, The token and the canary)',
      },
    ]);
  },
);

test.each(['AWS_SHARED_CREDENTIALS_FILE', 'TF_HTTP_PASSWORD'])(
  'a canary does not get %s, which gives access to AWS or to the state',
  async (key) => {
    const body = { key, value: 'a value', variable_type: 'file' };
    await gitlab.client.raw.post('projects/101/variables', { body });
    expect(await probe(key, { project: 101, isOwn: true })).toMatchObject([{ outcome: 'missing' }]);
  },
);

test.each<[number | string, boolean]>([
  [101, true],
  ['101', true],
  ['Acme/Deploy', true],
  [102, false],
  ['acme/canary', false],
])('the project %s of a canary is the deploying project: %s', (project, is) => {
  const environment = { CI_PROJECT_ID: '101', CI_PROJECT_PATH: 'acme/deploy' };
  expect(isProjectOf(project, environment)).toBe(is);
  expect(isProjectOf(project, {})).toBe(false);
});
