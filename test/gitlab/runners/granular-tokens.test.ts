import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/registry.ts';
import { fromPortFailure } from '../../../src/errors/outside.ts';
import { isPortFailure } from '../../../src/ports/failure.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

const group = { kind: 'group', groupId: 10 } as const;
let sandbox: SandboxGitLab;
beforeEach(() => {
  sandbox = createSandboxGitLab();
});
afterEach(() => sandbox.world.close());

function registry(scopes: string[], permissions?: string[]) {
  const order = { user: 'deployer', scopes, ...(permissions === undefined ? {} : { permissions }) };
  const { token } = sandbox.world.gitlab.createToken(order);
  return createGitLabRegistry({ client: sandbox.as(token), scope: group });
}

const reads = ['read_runner', 'read_user', 'read_member'];
const create = (of: ReturnType<typeof registry>) =>
  of.create({
    shard: stackShard('pink', 'linux'),
    settings: { scope: group, accessLevel: 'not_protected', locked: false } as never,
    tags: ['canary'],
    note: '',
  });

async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isPortFailure(error)) throw error;
  return fromPortFailure(error, 'hosted-runner onboard --runner linux').fields;
}

describe('a fine-grained token', () => {
  test('is refused for no scope: its calls are tried', async () => {
    const results = await registry(['granular'], reads).probe(group);
    expect(results.filter(({ outcome }) => outcome === 'missing')).toEqual([]);
    expect(results[1]).toMatchObject({ what: 'fine-grained permissions', outcome: 'not_probed' });
  });

  test('without read_runner is missing it, in the words of GitLab', async () => {
    const results = await registry(['granular'], ['read_user', 'read_member']).probe(group);
    const missing = results.filter(({ outcome }) => outcome === 'missing');
    expect(missing).toMatchObject([{ what: 'list runners (GET /groups/10/runners)' }]);
    expect(missing[0]?.detail).toContain('[read_runner]');
  });

  test('creates a runner with create_runner, and otherwise the error names that permission', async () => {
    expect(await create(registry(['granular'], ['create_runner']))).toMatchObject({
      token: expect.any(String),
    });
    const { code, fix } = await errorOf(create(registry(['granular'], reads)));
    expect(code).toBe('PermissionMissing');
    expect(fix?.[0]).toContain('that has create_runner');
  });
});

test.each(['read_user', 'read_member'])(
  'the sight of jobs names %s if it is missing',
  async (missing) => {
    const { id } = await create(registry(['api']));
    const all = ['read_metadata', ...reads].filter((one) => one !== missing);
    const { list, reason } = await registry(['granular'], all).readSight(id);
    expect([list, reason]).toEqual(['unproven', expect.stringContaining(`[${missing}]`)]);
  },
);

test('a classic token in a namespace that requires fine-grained ones gets both possible fixes', async () => {
  const { code, fix } = await errorOf(create(registry(['api'], [])));
  expect(code).toBe('PermissionMissing');
  expect(fix?.slice(0, 2).join(' ')).toMatch(/create_runner.*its namespace requires fine-grained/);
});

test('a runner above the limit of its group is an error of its own, with the limit', async () => {
  sandbox.world.gitlab.setRunnerLimit(0);
  const { code, what, fix } = await errorOf(create(registry(['api'])));
  expect([code, what]).toEqual([
    'RunnerLimit',
    "GitLab allows 0 runners in this group, and the candidate's would be one more.",
  ]);
  expect(fix?.[0]).toContain('GET /groups/:id/runners?type=group_type&status=never_contacted');
});
