import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
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

const reads = ['Runner: Read', 'User: Read', 'Member: Read', 'Personal Access Token: Read'];
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
  test('passes the scope check, because its calls are tried instead', async () => {
    const results = await registry(['granular'], reads).probe(group);
    expect(results.filter(({ outcome }) => outcome === 'missing')).toEqual([]);
    expect(results[1]).toMatchObject({ what: 'fine-grained permissions', outcome: 'not_probed' });
  });

  test('lacks Runner: Read, in the text of GitLab', async () => {
    const others = reads.filter((one) => one !== 'Runner: Read');
    const results = await registry(['granular'], others).probe(group);
    const missing = results.filter(({ outcome }) => outcome === 'missing');
    expect(missing).toMatchObject([{ what: 'list runners (GET /groups/10/runners)' }]);
    expect(missing[0]?.detail).toContain('the following group permissions: [Runner: Read]');
  });

  test('counts as fine-grained even if it may not read itself', async () => {
    const results = await registry(['granular'], ['Runner: Read', 'User: Read']).probe(group);
    expect(results.slice(0, 2)).toMatchObject([
      { what: 'token', outcome: 'not_probed' },
      { what: 'fine-grained permissions', outcome: 'not_probed' },
    ]);
    expect(results[0]?.detail).toContain('[Personal Access Token: Read]');
  });

  test('creates a runner with Runner: Create; otherwise the error names that permission', async () => {
    expect(await create(registry(['granular'], ['Runner: Create']))).toMatchObject({
      token: expect.any(String),
    });
    const { code, fix } = await errorOf(create(registry(['granular'], reads)));
    expect(code).toBe('PermissionMissing');
    expect(fix?.[0]).toContain('that has Runner: Create for the user;');
  });

  test('accepts the permission names of GitLab’s source code', async () => {
    const { id } = await create(registry(['granular'], ['create_runner']));
    const named = registry(['granular'], ['read_runner', 'update_runner', 'delete_runner']);
    expect(await named.find(id)).toMatchObject({ kind: 'found' });
    await named.setIntake(id, 'closed');
    expect(await named.retire(id)).toBe('retired');
  });
});

type Act = (of: ReturnType<typeof registry>, id: RegistrationId) => Promise<unknown>;

describe('a registry call with a fine-grained token', () => {
  const all = ['Runner: Read', 'Runner: Update', 'Runner: Delete', 'Runner: Create'];

  test.each<[string, string, Act]>([
    ['find', 'Runner: Read', (of, id) => of.find(id)],
    ['listJobs', 'Runner: Read', (of, id) => of.listJobs(id)],
    ['listWorkers', 'Runner: Read', (of, id) => of.listWorkers(id)],
    ['setIntake', 'Runner: Update', (of, id) => of.setIntake(id, 'closed')],
    ['route', 'Runner: Update', (of, id) => of.route(id, { tags: ['linux'], runUntagged: false })],
    ['resetToken', 'Runner: Update', (of, id) => of.resetToken(id)],
    ['retire', 'Runner: Delete', (of, id) => of.retire(id)],
  ])('names, for %s, %s if the token lacks it', async (_, missing, act) => {
    const { id } = await create(registry(['api']));
    const of = registry(
      ['granular'],
      all.filter((one) => one !== missing),
    );
    const { code, exitCode, fix } = await errorOf(act(of, id));
    expect([code, exitCode]).toEqual(['PermissionMissing', 1]);
    expect(fix?.[0]).toContain(`a fine-grained token that has ${missing} for the group;`);
  });
});

describe('a GraphQL query with a fine-grained token', () => {
  const query =
    'query { runner(id: "gid://gitlab/Ci::Runner/ID") { jobExecutionStatus ownerProject { id } } }';
  async function sendQuery(permissions: readonly string[]) {
    const project = { kind: 'project', projectId: 101 } as const;
    const { id } = await createGitLabRegistry({ client: sandbox.client, scope: project }).create({
      shard: stackShard('pink', 'linux'),
      settings: { scope: project, accessLevel: 'not_protected', locked: false } as never,
      tags: ['canary'],
      note: '',
    });
    const order = { user: 'deployer', scopes: ['granular'], permissions: [...permissions] };
    const client = sandbox.as(sandbox.world.gitlab.createToken(order).token);
    const body = { query: query.replace('ID', id) };
    return (await client.raw.post('../graphql', { body })).body;
  }

  test.each([
    [[], { data: { runner: null } }],
    [['Project: Read'], { data: { runner: null } }],
    [['Runner: Read'], { data: { runner: { jobExecutionStatus: 'IDLE', ownerProject: null } } }],
    [
      ['Runner: Read', 'Project: Read'],
      {
        data: {
          runner: { jobExecutionStatus: 'IDLE', ownerProject: { id: 'gid://gitlab/Project/101' } },
        },
      },
    ],
  ])(
    'returns null, and no error, for data that the token may not read: %j',
    async (permissions, body) => {
      expect(await sendQuery(permissions)).toEqual(body);
    },
  );
});

test.each(['User: Read', 'Member: Read'])(
  "the token's access to jobs names %s if it is missing",
  async (missing) => {
    const { id } = await create(registry(['api']));
    const all = ['Metadata: Read', ...reads].filter((one) => one !== missing);
    const { list, reason } = await registry(['granular'], all).readSight(id);
    expect([list, reason]).toEqual(['unproven', expect.stringContaining(`[${missing}]`)]);
  },
);

test('a classic token in a namespace that requires fine-grained ones gets both possible fixes', async () => {
  const { code, fix } = await errorOf(create(registry(['api'], [])));
  expect(code).toBe('PermissionMissing');
  expect(fix?.slice(0, 2).join(' ')).toMatch(
    /Runner: Create.*the namespace accepts only fine-grained/,
  );
});

test('the error for a runner above its group’s limit contains the limit', async () => {
  sandbox.world.gitlab.setRunnerLimit(0);
  const { code, what, fix } = await errorOf(create(registry(['api'])));
  expect([code, what]).toEqual([
    'RunnerLimit',
    'GitLab allows 0 runners in this group, and the candidate needs one more.',
  ]);
  expect(fix?.[0]).toContain('GET /groups/:id/runners?type=group_type&status=never_contacted');
});
