import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { withCanaryProbe } from '../../../src/adapters/gitlab/canary/canary-secrets.ts';
import type { GitLabClient } from '../../../src/adapters/gitlab/gitlab-client.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { register, runnerClient } from '../../sandbox/gitlab/protocol/runner-client.ts';
import { type Answer, json } from '../../transport/fake-server.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';
import { createScriptedGitLab } from '../scripted-gitlab.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const token = 'HOSTED_RUNNER_GITLAB_TOKEN';

async function probe(client: GitLabClient, environment: Record<string, string>) {
  const registry = createGitLabRegistry({ client, scope });
  const own = await registry.probe(scope);
  const place = { project: 101, isOwn: true };
  const all = await withCanaryProbe(registry, { client, ...place, environment }).probe(scope);
  return all.slice(own.length);
}

describe('the probe of the canary’s secrets', () => {
  let gitlab: SandboxGitLab;
  beforeEach(() => {
    gitlab = createSandboxGitLab();
  });
  afterEach(() => gitlab.world.close());

  const define = (fields: Record<string, unknown>) =>
    gitlab.client.raw.post('projects/101/variables', {
      body: { value: 'glpat-00000000', ...fields },
    });

  test.each([
    ['hosted-runner/linux/access', 'hosted-runner/*'],
    ['runners/prod/linux/access', 'runners/prod/*'],
    ['', 'hosted-runner/*'],
    ['another environment', 'hosted-runner/*'],
  ])('finds a token with the scope * from a job of environment "%s"', async (name, wanted) => {
    await define({ key: token });
    const found = await probe(gitlab.client, { [token]: 'glpat-x', CI_ENVIRONMENT_NAME: name });
    expect(found).toEqual([
      {
        what: `variable ${token} without the scope *`,
        outcome: 'missing',
        detail: `the variable of project 101 has the environment scope "*", so the canary gets it on a host that runs customer jobs; change the scope to ${wanted} (docs/use/gitlab.md, The token and the canary)`,
      },
    ]);
  });

  test('finds a hidden one beside a scoped one of the same name', async () => {
    await define({ key: token, environment_scope: 'hosted-runner/*' });
    await define({ key: token, masked_and_hidden: true });
    expect(await probe(gitlab.client, { [token]: 'x' })).toMatchObject([{ outcome: 'missing' }]);
  });

  test('grants a variable with an environment scope, and one that the project does not have', async () => {
    await define({ key: token, environment_scope: 'hosted-runner/*' });
    const found = await probe(gitlab.client, { [token]: 'x', AWS_SECRET_ACCESS_KEY: 'x' });
    expect(found.map(({ what, outcome }) => `${what}: ${outcome}`)).toEqual([
      `variable ${token} without the scope *: granted`,
      'variable AWS_SECRET_ACCESS_KEY without the scope *: granted',
    ]);
  });

  test('refuses a token of a group, whose variables have the scope * on GitLab Free', async () => {
    await gitlab.client.raw.post('groups/10/variables', {
      body: { key: token, value: 'glpat-x', environment_scope: 'hosted-runner/*' },
    });
    expect(await probe(gitlab.client, { [token]: 'x' })).toEqual([
      {
        what: `variable ${token} without the scope *`,
        outcome: 'missing',
        detail:
          'the variable of group acme has the environment scope "*", so the canary gets it on a host that runs customer jobs; remove it from the group and define it in project 101 with the scope hosted-runner/* (docs/use/gitlab.md, The token and the canary)',
      },
    ]);
  });

  test('refuses a variable with the scope * that has the same value as the token', async () => {
    await define({ key: 'DEPLOY_TOKEN', value: 'glpat-made-up-1' });
    const copied = { [token]: 'glpat-made-up-1', DEPLOY_TOKEN: 'glpat-made-up-1', OTHER: 'x' };
    const found = await probe(gitlab.client, copied);
    expect(found.map(({ what, outcome }) => `${what}: ${outcome}`)).toEqual([
      `variable ${token} without the scope *: granted`,
      'variable DEPLOY_TOKEN without the scope *: missing',
    ]);
  });

  test('names the group whose variables the token cannot read', async () => {
    const order = { user: 'maintainer', scopes: ['api'], accessLevel: 'maintainer' as const };
    const { token: maintainer } = gitlab.world.gitlab.createToken(order);
    const [found] = await probe(gitlab.as(maintainer), { [token]: 'x' });
    expect(found).toEqual({
      what: `variable ${token} without the scope *`,
      outcome: 'not_probed',
      detail: 'group acme: 403 Forbidden',
    });
  });

  test.each([
    [{ [token]: 'x', GITLAB_TOKEN: 'y' }, [token]],
    [{ [token]: '', GITLAB_TOKEN: 'y' }, ['GITLAB_TOKEN']],
    [{ GITLAB_TOKEN: 'y' }, ['GITLAB_TOKEN']],
  ])('reads, in the environment %j, the token in use: %j', async (environment, names) => {
    const found = await probe(gitlab.client, environment as Record<string, string>);
    expect(found.map(({ what }) => what)).toEqual(
      names.map((name) => `variable ${name} without the scope *`),
    );
  });

  test('queries only the secrets that this job has', async () => {
    expect(await probe(gitlab.client, { [token]: '', PATH: '/bin' })).toEqual([]);
    expect(gitlab.sent.filter((call) => call.includes('/variables'))).toEqual([]);
  });
});

describe('a response without a verdict', () => {
  const no = json(403, { message: '403 Forbidden' });
  const ownProbe = {
    'GET /personal_access_tokens/self': no,
    'GET /user': no,
    'GET /groups/10/runners': no,
  };
  const answered = (answer: Answer) =>
    createScriptedGitLab({
      'GET /projects/101': json(200, { namespace: { kind: 'user', full_path: 'ada' } }),
      ...ownProbe,
      [`GET /projects/101/variables/${token}`]: answer,
    }).client;

  test.each([
    [403, '403 Forbidden'],
    [404, '404 Project Not Found'],
    [404, '404 Not Found'],
  ])('%s "%s" is not probed', async (status, message) => {
    expect(await probe(answered(json(status, { message })), { [token]: 'x' })).toEqual([
      expect.objectContaining({ outcome: 'not_probed', detail: `project 101: ${message}` }),
    ]);
  });

  const ofGroups = (answers: Readonly<Record<string, Answer>>) =>
    createScriptedGitLab({
      ...ownProbe,
      'GET /projects/101': json(200, { namespace: { kind: 'group', full_path: 'acme/ci' } }),
      [`GET /projects/101/variables/${token}`]: json(404, { message: '404 Variable Not Found' }),
      ...answers,
    }).client;
  const absent = json(404, { message: '404 GroupVariable Not Found' });

  test.each([
    ['*', 'missing'],
    [null, 'missing'],
    ['hosted-runner/*', 'not_probed'],
  ])('a group above with the scope %s is %s', async (scope, outcome) => {
    const client = ofGroups({
      [`GET /groups/acme/ci/variables/${token}`]: absent,
      [`GET /groups/acme/variables/${token}`]: json(200, { environment_scope: scope }),
    });
    expect(await probe(client, { [token]: 'x' })).toEqual([expect.objectContaining({ outcome })]);
  });

  test('a group that refuses and a project that does not show its groups are not probed', async () => {
    const refused = json(403, { message: '403 Forbidden' });
    const hidden = ofGroups({ 'GET /projects/101': refused });
    const one = ofGroups({
      [`GET /groups/acme/ci/variables/${token}`]: refused,
      [`GET /groups/acme/variables/${token}`]: absent,
    });
    expect([
      ...(await probe(hidden, { [token]: 'x' })),
      ...(await probe(one, { [token]: 'x' })),
    ]).toEqual([
      expect.objectContaining({
        outcome: 'not_probed',
        detail: 'the groups of project 101: 403 Forbidden',
      }),
      expect.objectContaining({ outcome: 'not_probed', detail: 'group acme/ci: 403 Forbidden' }),
    ]);
  });

  test('a 401 counts as a token error and rejects', async () => {
    const client = answered(json(401, { message: '401 Unauthorized' }));
    await expect(probe(client, { [token]: 'x' })).rejects.toMatchObject({ status: 401 });
  });
});

describe('a job of the sandbox', () => {
  test('receives the variables with the scope * of its project, and no scoped one', async () => {
    const { world, client } = createSandboxGitLab();
    const define = (body: Record<string, unknown>) =>
      client.raw.post('projects/201/variables', { body });
    await define({ key: 'OPEN', value: 'for-every-job' });
    await define({ key: token, value: 'glpat-x', environment_scope: 'hosted-runner/*' });
    world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['env'] });
    const runner = await register(world);
    const { body } = await runnerClient(world, runner.token, { systemId: 's_1' }).request();
    const received = body.variables.map(({ key }: { key: string }) => key);
    expect(received).toContain('OPEN');
    expect(received).not.toContain(token);
    world.close();
  });
});
