import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { StackShard } from '../../src/domain/shard.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { openSandbox, until } from '../sandbox/hosts/running-sandbox.ts';
import { connectCloud, keys } from './cloud.ts';

describe('the cloud over the sandbox', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let cloud: ReturnType<typeof connectCloud>;
  let pink: StackShard;
  let count = 0;
  beforeAll(async () => {
    world = await openSandbox();
    cloud = connectCloud(world.sandbox.ssmUrl);
  });
  afterEach(() => world.sandbox.faults.clear());
  afterAll(async () => {
    cloud.close();
    await world.close();
  });

  async function build(): Promise<{ shard: StackShard; id: string }> {
    count += 1;
    pink = stackShard('pink', `linux-${count}`);
    const [id = ''] = (await world.sandbox.stacks.apply(pink)).instanceIds;
    await until(() => world.sandbox.fleet.find(id)?.state === 'running');
    return { shard: pink, id };
  }

  test('reports the account', async () => {
    expect(await cloud.account.readIdentity()).toEqual({
      account: '123456789012',
      arn: 'arn:aws:iam::123456789012:user/sandbox',
      region: 'eu-west-1',
    });
  });

  test('lists instances by the exact name, terminates one, and keeps listing terminated ones', async () => {
    const { shard, id } = await build();
    const other = stackShard('pink', `${shard.runnerName}-large`);
    await world.sandbox.stacks.apply(other);
    expect(await cloud.instances.list(shard)).toMatchObject([{ id, state: 'running' }]);
    expect(await cloud.instances.rehearseTermination(id)).toEqual({ kind: 'allowed' });
    expect(await cloud.instances.terminate({ id, shard })).toBe('ending');
    await until(async () => (await cloud.instances.list(shard))[0]?.state === 'terminated');
    expect(await cloud.instances.terminate({ id, shard })).toBe('ended_already');
    expect(await cloud.inventory.list(shard)).toEqual([]);
    expect(await cloud.inventory.list(other)).toHaveLength(1);
  });

  test('lists the workers of a shard by their groups, which replace a terminated worker', async () => {
    const { shard } = await build();
    const tags = { [keys.stackTag]: shard.runnerName, [keys.shardTag]: shard.shard };
    const launchedAt = new Date(0).toISOString();
    const worker = { nameTag: 'pink-linux_worker', state: 'running' as const, launchedAt };
    const group = { name: `${shard.runnerName}_workers-0`, hook: '', waiting: [] };
    const own = [{ ...worker, id: 'i-0123456789abcde01' }];
    world.sandbox.groups.add({ ...group, tags, workers: own });
    const foreign = [{ ...worker, id: 'i-0123456789abcde0f' }];
    const others = { ...tags, [keys.shardTag]: 'purple' };
    world.sandbox.groups.add({ ...group, name: 'others', tags: others, workers: foreign });
    const listed = async () =>
      (await cloud.instances.listWorkers(shard)).map(({ id, state, autoScalingGroup }) => [
        ...[id, state, autoScalingGroup],
      ]);
    expect(await listed()).toEqual([['i-0123456789abcde01', 'running', group.name]]);
    const found = await cloud.inventory.list(shard);
    const [one] = found.filter(({ kind, partOf }) => kind === 'instance' && partOf === group.name);
    if (one === undefined) throw new Error('the worker is not among what has the tags');
    expect(await cloud.inventory.remove(one, shard)).toBe('removed');
    expect(await listed()).toEqual([['i-0123456789abcde02', 'pending', group.name]]);
  });

  test('removes only safe resources with both tags of the exact shard', async () => {
    const { shard, id } = await build();
    const tags = { [keys.stackTag]: shard.runnerName, [keys.shardTag]: shard.shard };
    const others = [
      { ...tags, [keys.stackTag]: `${shard.runnerName}-large` },
      { ...tags, [keys.shardTag]: 'purple' },
      { [keys.stackTag]: shard.runnerName },
    ];
    const { leftovers } = world.sandbox;
    leftovers.add({ type: 'security-group', id: 'sg-0used', tags, inUse: true });
    leftovers.add({ type: 'network-interface', id: 'eni-0free', tags });
    leftovers.add({ type: 'volume', id: 'vol-0data', tags: { ...tags, Name: 'disk' } });
    leftovers.add({ type: 'security-group-rule', id: 'sgr-0out', tags });
    const log = `arn:aws:logs:eu-west-1:123456789012:log-group:/gitlab-runner/${shard.runnerName}`;
    leftovers.add({ type: 'log-group', id: log, tags });
    for (const [at, foreign] of others.entries())
      leftovers.add({ type: 'security-group', id: `sg-0foreign${at}`, tags: foreign });
    const found = await cloud.inventory.list(shard);
    expect(found.filter(({ kind }) => kind === 'volume')).toMatchObject([{ name: 'disk' }]);
    expect(found.map((one) => `${one.kind} ${one.id}`)).toEqual([
      `instance ${id}`,
      'security_group sg-0used',
      'network_interface eni-0free',
      'volume vol-0data',
      'security_group_rule sgr-0out',
      `log_group /gitlab-runner/${shard.runnerName}`,
    ]);
    const outcome = async (one: (typeof found)[number]) =>
      cloud.inventory.remove(one, shard).catch((error: Error) => error.message);
    expect(await Promise.all(found.map(outcome))).toEqual([
      'removed',
      'EC2 DeleteSecurityGroup sg-0used: DependencyViolation: resource sg-0used has a dependent object',
      'removed',
      'EC2 removal of vol-0data: hosted-runner does not remove a volume',
      'EC2 removal of sgr-0out: hosted-runner does not remove a security_group_rule',
      `EC2 removal of /gitlab-runner/${shard.runnerName}: hosted-runner does not remove a log_group`,
    ]);
    expect(
      await cloud.inventory.remove({ kind: 'security_group', id: 'sg-0foreign0' }, shard),
    ).toBe('absent');
    expect(leftovers.list().map((one) => one.id)).toContain('sg-0foreign0');
  });

  const arnOf = (kind: string, name: string) => `arn:aws:iam::123456789012:${kind}/${name}`;

  /** Leaves a role with policies and its profile, like the reference module's. */
  function leaveRole(name: string, tags: Record<string, string>) {
    const managed = 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore';
    const { leftovers } = world.sandbox;
    const role = { type: 'role', id: arnOf('role', name), tags, holds: [managed, 'own'] };
    leftovers.add(role);
    const id = arnOf('instance-profile', name);
    leftovers.add({ type: 'instance-profile', id, tags, holds: [name] });
    return { role: role.id, profile: id };
  }

  test('finds role and instance profile by name, and removes them with their attachments', async () => {
    count += 1;
    const shard = stackShard('pink', `linux-${count}`);
    const tags = { [keys.stackTag]: shard.runnerName, [keys.shardTag]: shard.shard };
    const { role, profile } = leaveRole(`pink-${shard.runnerName}_runner-manager`, tags);
    const found = await cloud.inventory.list(shard);
    expect(found).toEqual([
      { kind: 'instance_profile', id: profile },
      { kind: 'role', id: role },
    ]);
    const refused = await cloud.inventory
      .remove({ kind: 'role', id: role }, shard)
      .catch((error: Error) => error.message);
    expect(refused).toContain(`the instance profile pink-${shard.runnerName}_runner-manager holds`);
    for (const one of found) expect(await cloud.inventory.remove(one, shard)).toBe('removed');
    expect(await cloud.inventory.list(shard)).toEqual([]);
    for (const one of found) expect(await cloud.inventory.remove(one, shard)).toBe('absent');
  });

  test.each<[string, Record<string, string>]>([
    ['no tags', {}],
    ['the tags of another stack', { [keys.stackTag]: 'linux-large', [keys.shardTag]: 'pink' }],
    ['the tags of the other shard', { [keys.stackTag]: 'untold', [keys.shardTag]: 'purple' }],
  ])('keeps a role of the same name with %s', async (_name, tags) => {
    const shard = stackShard('pink', 'untold');
    const { role, profile } = leaveRole('pink-untold_runner-manager', tags);
    expect(await cloud.inventory.list(shard)).toEqual([]);
    expect(await cloud.inventory.remove({ kind: 'role', id: role }, shard)).toBe('absent');
    for (const id of [role, profile]) expect(world.sandbox.leftovers.remove(id)).toBe(true);
  });

  test.each([
    'DescribeTags',
    'GetResources',
    'DescribeAutoScalingGroups',
    'DescribeInstances',
    'GetRole',
    'GetInstanceProfile',
  ])('cannot list the inventory if AWS denies %s', async (operation) => {
    const { shard } = await build();
    world.sandbox.faults.add({
      id: 'denied',
      service: 'ssm',
      match: { operation },
      effect: { kind: 'status', status: 403 },
    });
    await expect(cloud.inventory.list(shard)).rejects.toMatchObject({
      kind: 'denied',
      detail: expect.stringContaining(`:${operation}`),
    });
  });

  test('completes the lifecycle hook of a waiting instance', async () => {
    const { shard, id } = await build();
    world.sandbox.groups.add({
      name: `workers-${shard.runnerName}`,
      hook: 'drain',
      waiting: [id],
      tags: { [keys.stackTag]: shard.runnerName, [keys.shardTag]: shard.shard },
    });
    const [hook] = await cloud.hooks.listWaiting(shard);
    expect(hook).toEqual({
      group: `workers-${shard.runnerName}`,
      hook: 'drain',
      instanceId: id,
      instance: 'alive',
    });
    if (hook === undefined) throw new Error('no hook');
    expect(await cloud.hooks.complete(hook)).toBe('completed');
    expect(await cloud.hooks.complete(hook)).toBe('gone');
    expect(await cloud.hooks.listWaiting(shard)).toEqual([]);
  });
});
