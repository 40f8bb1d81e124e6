import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectCloud } from '../../aws/cloud.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type Moto, startMoto } from '../../terraform/moto.ts';

const pink = stackShard('pink', 'linux');
const absentShard = stackShard('pink', 'nobody');

/** Independent implementation of AWS's protocols, which must accept the program's requests. */
describeWithTools({ name: 'the cloud over an AWS emulator', needs: ['moto_server'] }, (path) => {
  let moto: Moto;
  let cloud: ReturnType<typeof connectCloud>;
  beforeAll(async () => {
    moto = await startMoto(path('moto_server'));
    cloud = connectCloud(moto.url);
  });
  afterAll(async () => {
    cloud?.close();
    await moto?.close();
  });

  async function run(name: string, tags: Record<string, string>): Promise<string> {
    const all = { Name: name, ...tags };
    const xml = await moto.ec2('RunInstances', {
      ImageId: 'ami-12c6146b',
      MinCount: '1',
      MaxCount: '1',
      'TagSpecification.1.ResourceType': 'instance',
      ...Object.fromEntries(
        Object.entries(all).flatMap(([key, value], at) => [
          [`TagSpecification.1.Tag.${at + 1}.Key`, key],
          [`TagSpecification.1.Tag.${at + 1}.Value`, value],
        ]),
      ),
    });
    return /<instanceId>([^<]+)/.exec(xml)?.[1] ?? xml;
  }

  const stackTags = { 'hosted-runner:stack': 'linux', 'hosted-runner:shard': 'pink' };

  test('finds nothing before the creation', async () => {
    expect(await cloud.instances.list(absentShard)).toEqual([]);
    expect(await cloud.instances.find('i-0123456789abcdef0')).toBeUndefined();
    expect(await cloud.inventory.list(absentShard)).toEqual([]);
    expect(await cloud.hooks.listWaiting(absentShard)).toEqual([]);
    expect(await cloud.account.readIdentity()).toMatchObject({
      account: '123456789012',
      region: 'eu-west-1',
    });
  });

  test('reports the group of an instance, and the instance of a disk', async () => {
    const grouped = stackShard('purple', 'grouped');
    const id = await run('purple-grouped_runner-manager', {
      'hosted-runner:stack': 'grouped',
      'hosted-runner:shard': 'purple',
      'aws:autoscaling:groupName': 'purple-grouped_managers',
    });
    const volumes = await moto.ec2('DescribeVolumes', {
      'Filter.1.Name': 'attachment.instance-id',
      'Filter.1.Value.1': id,
    });
    const disk = /<volumeId>([^<]+)/.exec(volumes)?.[1] ?? volumes;
    await moto.ec2('CreateTags', {
      'ResourceId.1': disk,
      'Tag.1.Key': 'hosted-runner:stack',
      'Tag.1.Value': 'grouped',
      'Tag.2.Key': 'hosted-runner:shard',
      'Tag.2.Value': 'purple',
    });
    expect(await cloud.instances.list(grouped)).toMatchObject([
      { id, autoScalingGroup: 'purple-grouped_managers' },
    ]);
    expect(await cloud.inventory.list(grouped)).toMatchObject([
      { kind: 'instance', id, partOf: 'purple-grouped_managers' },
      { kind: 'volume', id: disk, partOf: id },
    ]);
  });

  /** Creates a role like the reference module, except for trust and permissions. */
  async function makeRole(name: string, tags: Record<string, string>): Promise<void> {
    const given = Object.fromEntries(
      Object.entries(tags).flatMap(([key, value], at) => [
        [`Tags.member.${at + 1}.Key`, key],
        [`Tags.member.${at + 1}.Value`, value],
      ]),
    );
    const document = JSON.stringify({ Version: '2012-10-17', Statement: [] });
    const [RoleName, InstanceProfileName] = [name, name];
    const trust = { AssumeRolePolicyDocument: document };
    await moto.iam('CreateRole', { RoleName, ...trust, ...given });
    const PolicyArn = 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore';
    await moto.iam('AttachRolePolicy', { RoleName, PolicyArn });
    const PolicyDocument = document.replace(
      '[]',
      '[{"Effect":"Allow","Action":"*","Resource":"*"}]',
    );
    await moto.iam('PutRolePolicy', { RoleName, PolicyName: 'own', PolicyDocument });
    await moto.iam('CreateInstanceProfile', { InstanceProfileName, ...given });
    await moto.iam('AddRoleToInstanceProfile', { InstanceProfileName, RoleName });
  }

  test('finds role and instance profile by name and tags, and removes them with their policies', async () => {
    const name = 'pink-roles_runner-manager';
    const shard = stackShard('pink', 'roles');
    await makeRole(name, { ...stackTags, 'hosted-runner:stack': 'roles' });
    await makeRole('purple-roles_runner-manager', stackTags);
    const found = await cloud.inventory.list(shard);
    expect(found.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      `instance_profile arn:aws:iam::123456789012:instance-profile/${name}`,
      `role arn:aws:iam::123456789012:role/${name}`,
    ]);
    for (const one of found) expect(await cloud.inventory.remove(one, shard)).toBe('removed');
    expect(await cloud.inventory.list(shard)).toEqual([]);
    expect(await cloud.inventory.list(stackShard('purple', 'roles'))).toEqual([]);
    const roles = await moto.iam('ListRoles');
    expect(roles).not.toContain(name);
    expect(roles).toContain('purple-roles_runner-manager');
  });

  test('the emulator does not report a missing role when its instance profiles are listed', async () => {
    const answer = await moto.iam('ListInstanceProfilesForRole', { RoleName: 'nobody' });
    expect(answer).not.toContain('NoSuchEntity');
  });

  test('removes a network interface that carries both tags, once', async () => {
    const subnet = /<subnetId>([^<]+)/.exec(await moto.ec2('DescribeSubnets'))?.[1] ?? '';
    const made = await moto.ec2('CreateNetworkInterface', {
      SubnetId: subnet,
      'TagSpecification.1.ResourceType': 'network-interface',
      'TagSpecification.1.Tag.1.Key': 'hosted-runner:stack',
      'TagSpecification.1.Tag.1.Value': 'interfaces',
      'TagSpecification.1.Tag.2.Key': 'hosted-runner:shard',
      'TagSpecification.1.Tag.2.Value': 'pink',
    });
    const id = /<networkInterfaceId>([^<]+)/.exec(made)?.[1] ?? made;
    const shard = stackShard('pink', 'interfaces');
    const [one] = await cloud.inventory.list(shard);
    if (one === undefined) throw new Error('nothing with these tags is listed');
    expect(one).toMatchObject({ kind: 'network_interface', id });
    expect(await cloud.inventory.remove(one, shard)).toBe('removed');
    expect(await moto.ec2('DescribeNetworkInterfaces')).not.toContain(id);
  });

  test('finds, rehearses, terminates and removes only resources of the stack', async () => {
    const id = await run('pink-linux_runner-manager', stackTags);
    const large = await run('pink-linux-large_runner-manager', {
      ...stackTags,
      'hosted-runner:stack': 'linux-large',
    });
    const worker = await run('pink-linux_worker', stackTags);
    expect(await cloud.instances.list(pink)).toMatchObject([{ id, state: 'running' }]);
    expect(await cloud.instances.listWorkers(pink)).toMatchObject([{ id: worker }]);
    expect(await cloud.instances.rehearseTermination(id)).toEqual({ kind: 'allowed' });
    expect((await cloud.instances.find(id))?.state).toBe('running');
    await expect(cloud.instances.terminate({ id: large, shard: pink })).rejects.toMatchObject({
      kind: 'refused',
    });

    const group = await moto.ec2('CreateSecurityGroup', {
      GroupName: 'left',
      GroupDescription: 'left behind',
      'TagSpecification.1.ResourceType': 'security-group',
      'TagSpecification.1.Tag.1.Key': 'hosted-runner:stack',
      'TagSpecification.1.Tag.1.Value': 'linux',
      'TagSpecification.1.Tag.2.Key': 'hosted-runner:shard',
      'TagSpecification.1.Tag.2.Value': 'pink',
    });
    const groupId = /<groupId>([^<]+)/.exec(group)?.[1] ?? group;
    const found = await cloud.inventory.list(pink);
    expect(found.map((one) => one.id).sort()).toEqual([id, worker, groupId].sort());

    expect(await cloud.instances.terminate({ id, shard: pink })).toBe('ending');
    for (const one of await cloud.inventory.list(pink)) await cloud.inventory.remove(one, pink);
    // The emulator still lists the tags of a deleted group, and the removal reports its absence.
    for (const one of await cloud.inventory.list(pink))
      expect([one.id, await cloud.inventory.remove(one, pink)]).toEqual([groupId, 'absent']);
    expect(await moto.ec2('DescribeSecurityGroups')).not.toContain(groupId);
    expect((await cloud.instances.find(large))?.state).toBe('running');
    expect((await cloud.instances.list(pink)).map(({ state }) => state)).toEqual(['terminated']);
  });
});
