import { afterEach, describe, expect, test } from '@jest/globals';
import type { GitLabVersion } from '../../../sandbox/gitlab/answers/versions.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { mostRunners } from '../../../src/adapters/gitlab/runners/graphql-runners.ts';
import { createSharedRunners } from '../../../src/adapters/gitlab/runners/runner-cache.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const age = { mostMs: 5000 };
let sandbox: SandboxGitLab;
afterEach(() => sandbox.world.close());

async function openStacks(version?: GitLabVersion) {
  sandbox = createSandboxGitLab(version);
  const shared = createSharedRunners(sandbox.clock);
  const open = (client = sandbox.client) => createGitLabRegistry({ client, scope, shared });
  const [first, other] = [open(), open(sandbox.as(sandbox.world.deployer))];
  const settings = {
    scope,
    tags: ['linux'],
    runUntagged: true,
    locked: false,
    accessLevel: 'not_protected',
    maximumTimeoutSeconds: 3600,
  } as const;
  const create = async (name: string) => {
    const order = { shard: stackShard('pink', name), settings, tags: ['linux', name], note: name };
    return (await first.create(order)).id;
  };
  return { open, first, other, create };
}

const queries = () => sandbox.sent.filter((call) => call.startsWith('POST /api/graphql')).length;

describe.each(['17.5', '17.11', '18.9', '19.3'] as const)('GitLab %s', (version) => {
  test('returns the same over GraphQL as over REST, except values that a cache must not keep', async () => {
    const { first, other, create } = await openStacks(version);
    const [one, two] = [await create('linux'), await create('arm')];
    await first.setIntake(two, 'closed');
    const byRest = [await first.find(one), await other.find(two)];
    await first.find(one, age);
    const shared = [await other.find(two, age), await first.find(one, age)].reverse();
    expect(queries()).toBe(1);
    expect(shared).toEqual(
      byRest.map((found) => {
        if (found.kind === 'absent') throw new Error('it was created');
        const { url: _, ...value } = found.value;
        return { kind: 'found', value: { ...value, execution: 'unknown' } };
      }),
    );
  });
});

test('the largest query has the highest complexity that GitLab accepts', async () => {
  const { open, create } = await openStacks();
  const names = Array.from({ length: mostRunners + 3 }, (_, nth) => `stack-${nth}`);
  const stacks = names.map(() => open(sandbox.as(sandbox.world.deployer)));
  const ids: RegistrationId[] = [];
  for (const name of names) ids.push(await create(name));
  const readAll = async () => {
    for (const [nth, id] of ids.entries())
      expect(await stacks[nth]?.find(id, age)).toMatchObject({ value: { id, note: names[nth] } });
  };
  await readAll();
  await sandbox.clock.sleep(age.mostMs + 1);
  const before = sandbox.sent.length;
  await readAll();
  expect(sandbox.sent.slice(before)).toEqual(['POST /api/graphql', 'POST /api/graphql']);
});

test('a runner that is gone is read through REST, which proves it', async () => {
  const { first, other, create } = await openStacks();
  const [one, two] = [await create('linux'), await create('arm')];
  await first.find(one, age);
  await other.find(two, age);
  await createGitLabRegistry({ client: sandbox.client, scope }).retire(two);
  await sandbox.clock.sleep(age.mostMs + 1);
  expect(await other.find(two, age)).toEqual({ kind: 'absent' });
  expect(await first.find(one, age)).toMatchObject({ kind: 'found' });
});

test('a fine-grained token without runners in GraphQL reads each runner through REST', async () => {
  const { open, create } = await openStacks();
  const ids = [await create('linux'), await create('arm')] as const;
  const order = { user: 'deployer', scopes: ['granular'], permissions: ['User: Read'] };
  const { token } = sandbox.world.gitlab.createToken(order);
  const stacks = [open(sandbox.as(token)), open(sandbox.as(token))] as const;
  for (const at of [0, 1, 0, 1] as const)
    await expect(stacks[at].find(ids[at], age)).rejects.toMatchObject({ kind: 'denied' });
  // At most one query per runner.
  expect(queries()).toBeLessThanOrEqual(2);
});
