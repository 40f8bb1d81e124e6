import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everything } from '../e2e/by-hand/world/at-rest.ts';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Order = Parameters<World['sandbox']['gitlab']['createToken']>[0];

const short: readonly (readonly [name: string, order: Order, missing: readonly string[]])[] = [
  [
    'only read_api',
    { user: 'deployer', scopes: ['read_api'] },
    [
      'scope create_runner: needed to create a runner; the token has read_api',
      'scope manage_runner: ',
    ],
  ],
  [
    'no useful scope',
    { user: 'deployer', scopes: ['read_repository'] },
    ['scope create_runner: ', 'scope manage_runner: ', 'scope read_api: '],
  ],
  [
    'a Maintainer as the user',
    { user: 'maintainer', scopes: ['api'], accessLevel: 'maintainer' },
    ['role Owner of group 10: maintainer has access level 40, 50 is needed'],
  ],
  [
    'a user outside the group',
    { user: 'stranger', scopes: ['api'] },
    ['role Owner of group 10: stranger is not a member'],
  ],
];

/**
 * No scope is missing: the token must be renewed. Queries that fail for this reason are no separate
 * problem.
 */
const refused = { exitCode: 1, code: 'CredentialsRefused' };

describe('the token check of prepare, which touches nothing', () => {
  test.each(short)('names what is missing: %s', async (_, order, missing) => {
    const { token } = world.sandbox.gitlab.createToken(order);
    await expectRefused(token, missing);
  });

  test('reports a token that GitLab does not know', async () => {
    await expectRefused('glpat-00000000000000000000', ['"401 Unauthorized"'], refused);
  });

  test('reports an expired token', async () => {
    const order: Order = { user: 'deployer', scopes: ['api'], expiresAt: '2020-01-01' };
    const { token } = world.sandbox.gitlab.createToken(order);
    await expectRefused(token, ['"invalid_token: Token is expired.'], refused);
  });

  test('reports a revoked token', async () => {
    const { gitlab } = world.sandbox;
    const { id, token } = gitlab.createToken({ user: 'deployer', scopes: ['api'] });
    gitlab.revokeToken(id);
    await expectRefused(token, ['"invalid_token: Token was revoked.'], refused);
  });
});

test('a stage without probes ends at its first request instead of waiting for evidence', async () => {
  const end = await world.stage('healthcheck', {
    env: { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-00000000000000000000' },
  });
  expect(end).toMatchObject({ exitCode: 1, code: 'CredentialsRefused' });
  expect(end.stderr).toContain('GitLab GET /metadata: the GitLab token was not accepted.');
  expect(end.stderr).toContain('  now  ');
});

async function expectRefused(
  token: string,
  missing: readonly string[],
  ending = { exitCode: 2, code: 'PreflightFailed' },
): Promise<void> {
  const before = everything(world);
  const end = await world.stage('prepare', { env: { HOSTED_RUNNER_GITLAB_TOKEN: token } });
  expect({ text: end.stderr, exitCode: end.exitCode, code: end.code }).toEqual({
    text: end.stderr,
    ...ending,
  });
  expect(end.stderr.includes('Set another GitLab token in ')).toBe(ending === refused);
  for (const part of missing) expect(end.stderr).toContain(part);
  expect(end.text).not.toContain(token);
  expect(everything(world)).toEqual(before);
}
