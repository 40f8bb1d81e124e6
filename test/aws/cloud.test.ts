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

  test('says whose account it is', async () => {
    expect(await cloud.account.readIdentity()).toEqual({
      account: '123456789012',
      arn: 'arn:aws:iam::123456789012:user/sandbox',
      region: 'eu-west-1',
    });
  });

  test('lists by the exact name, ends, and goes on listing what is terminated', async () => {
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

  test('completes the hook that waits', async () => {
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
