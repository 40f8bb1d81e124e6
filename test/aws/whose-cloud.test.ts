import type { IAM } from '@aws-sdk/client-iam';
import { describe, expect, test } from '@jest/globals';
import { removeRole } from '../../src/adapters/aws/access/roles.ts';
import {
  listNamedGroups,
  listTaggedGroups,
} from '../../src/adapters/aws/inventory/auto-scaling-groups.ts';
import { createLifecycleHooks } from '../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import { createInventory } from '../../src/adapters/aws/inventory/aws-inventory.ts';
import { createInstances, findInstance } from '../../src/adapters/aws/inventory/ec2-instances.ts';
import type { Iam } from '../../src/adapters/aws/services.ts';
import type { TaggedResource } from '../../src/domain/plan/aws-resource.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { failureOf } from '../support/failure-of.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { createClient, recorded, refusalNamed } from './stub-client.ts';

const pink = stackShard('pink', 'linux');
const id = 'i-0123456789abcdef0';
const keys = { stackTag: 'stack', shardTag: 'shard' };
const launched = new Date('2026-11-02T08:00:00.000Z');
const tagsOf = (stack: string, shard: string) => [
  { Key: 'stack', Value: stack },
  { Key: 'shard', Value: shard },
];

function machine(state: string, more: object = {}) {
  const tags = [{ Key: 'Name', Value: 'pink-linux_runner-manager' }, ...tagsOf('linux', 'pink')];
  return { InstanceId: id, State: { Name: state }, LaunchTime: launched, Tags: tags, ...more };
}

const listing = (...found: readonly object[]) => ({ Reservations: [{ Instances: found }] });

describe('an instance', () => {
  const clock = createVirtualClock();
  const over = (answers: Parameters<typeof recorded>[0]) => {
    const { service, called } = recorded<never>(answers);
    return { instances: createInstances({ ec2: service as never, clock, keys }), called };
  };

  test('never comes from the response about another instance', async () => {
    const other = machine('terminated', { InstanceId: 'i-0fedcba9876543210' });
    const ec2 = createClient<never>({ describeInstances: listing(other) });
    expect(await findInstance(ec2 as never, id)).toBeUndefined();
  });

  test.each(['', 'i-1', 'all', `${id} i-2`])(
    'never causes a request for the invalid id %j',
    async (text) => {
      const { instances, called } = over({ describeInstances: listing() });
      expect(await failureOf(instances.find(text))).toMatchObject({
        kind: 'refused',
        effect: 'none',
        detail: 'this is not an instance id',
      });
      expect(called).toEqual([]);
    },
  );
});

describe('Auto Scaling groups', () => {
  const group = (name: string, stack: string, shard: string) => ({
    AutoScalingGroupName: name,
    Tags: tagsOf(stack, shard),
  });

  test('belong to the shard only with both exact tags, whatever the filter returns', async () => {
    const all = [
      group('ours', 'linux', 'pink'),
      group('of another stack', 'linux-large', 'pink'),
      group('of the other shard', 'linux', 'purple'),
    ];
    const service = createClient<never>({ describeAutoScalingGroups: { AutoScalingGroups: all } });
    const found = await listTaggedGroups(service as never, keys, pink);
    expect(found.map(({ AutoScalingGroupName: name }) => name)).toEqual(['ours']);
  });

  test('match the given names exactly, and are empty without a name', async () => {
    const all = [group('a', 'linux', 'pink'), group('ab', 'linux', 'pink')];
    const { service, called } = recorded({
      describeAutoScalingGroups: { AutoScalingGroups: all },
    });
    expect(await listNamedGroups(service as never, ['a'])).toEqual([all[0]]);
    expect(await listNamedGroups(service as never, [])).toEqual([]);
    expect(called).toEqual(['describeAutoScalingGroups']);
  });
});

describe('a lifecycle hook', () => {
  const waiting = (name: string, tags: object[], machines: object[]) => ({
    AutoScalingGroupName: name,
    Tags: tags,
    Instances: machines,
  });
  const hook = (name: string, transition: string) => ({
    LifecycleHookName: name,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition}`,
  });

  function over(groups: readonly object[]) {
    const inGroup = [...machine('running').Tags, tagOfGroup];
    const ec2 = createClient<never>({
      describeInstances: listing(machine('running', { Tags: inGroup })),
    });
    const autoScaling = createClient<never>({
      describeAutoScalingGroups: { AutoScalingGroups: groups },
      describeLifecycleHooks: {
        LifecycleHooks: [hook('boots', 'LAUNCHING'), hook('ends', 'TERMINATING')],
      },
    });
    return createLifecycleHooks({ autoScaling: autoScaling as never, ec2: ec2 as never, keys });
  }
  const tagOfGroup = { Key: 'aws:autoscaling:groupName', Value: 'shared' };

  test('waits for an instance in `Terminating:Wait`, if it is a termination hook', async () => {
    const hooks = over([
      waiting('ours', tagsOf('linux', 'pink'), [
        { InstanceId: id, LifecycleState: 'Terminating:Wait' },
        { InstanceId: 'i-00000001', LifecycleState: 'Terminating:Proceed' },
        { InstanceId: 'i-00000002', LifecycleState: 'Pending:Wait' },
      ]),
    ]);
    expect(await hooks.listWaiting(pink)).toEqual([
      { group: 'ours', hook: 'ends', instanceId: id, instance: 'alive' },
    ]);
  });

  test('counts only for instances of the shard if its group is shared', async () => {
    const hooks = over([
      waiting('shared', tagsOf('somebody', 'else'), [
        { InstanceId: id, LifecycleState: 'Terminating:Wait' },
        { InstanceId: 'i-00000001', LifecycleState: 'Terminating:Wait' },
      ]),
    ]);
    const found = await hooks.listWaiting(pink);
    expect(found.map(({ instanceId }) => instanceId)).toEqual([id]);
  });
});

describe('the AWS resources of a shard', () => {
  const role = 'arn:aws:iam::111122223333:role/pink-linux_runner-manager';

  function over({ found = [] as readonly object[], answers = {} } = {}) {
    const ec2 = recorded<never>({
      describeInstances: listing(...found),
      describeTags: { Tags: [] },
      terminateInstances: {},
      ...answers,
    });
    const nothing = refusalNamed('NoSuchEntityException');
    const services = {
      ec2: ec2.service,
      autoScaling: createClient<never>({ describeAutoScalingGroups: { AutoScalingGroups: [] } }),
      tagging: createClient<never>({ getResources: { ResourceTagMappingList: [] } }),
      iam: createClient<never>({ getRole: nothing, getInstanceProfile: nothing }),
    };
    const options = { ...services, clock: createVirtualClock(), keys, roleNames: [] };
    return { inventory: createInventory(options as never), called: ec2.called };
  }

  test('include the instances with both exact tags that have not terminated', async () => {
    const large = { InstanceId: 'i-00000001', Tags: tagsOf('linux-large', 'pink') };
    const purple = { InstanceId: 'i-00000002', Tags: tagsOf('linux', 'purple') };
    const { inventory } = over({
      found: [
        machine('running'),
        machine('running', large),
        machine('running', purple),
        machine('terminated', { InstanceId: 'i-00000003' }),
      ],
    });
    expect((await inventory.list(pink)).map((one) => one.id)).toEqual([id]);
  });

  test.each(['volume', 'log_group', 'auto_scaling_group', 'launch_template', 'other'] as const)(
    'keep a %s, which is never removed',
    async (kind) => {
      const { inventory, called } = over();
      expect(await failureOf(inventory.remove({ kind, id: 'one' }, pink))).toMatchObject({
        kind: 'refused',
        effect: 'none',
        detail: `hosted-runner does not remove a ${kind}`,
      });
      expect(called).toEqual([]);
    },
  );

  test('exclude a resource that now belongs to another shard', async () => {
    const { inventory, called } = over({
      found: [machine('running', { Tags: tagsOf('linux', 'purple') })],
    });
    const one: TaggedResource = { kind: 'instance', id };
    expect(await inventory.remove(one, pink)).toBe('absent');
    expect(called).not.toContain('terminateInstances');
  });

  const iamWith = (answers: Parameters<typeof recorded>[0]) =>
    recorded<IAM>({
      listInstanceProfilesForRole: { InstanceProfiles: [] },
      listAttachedRolePolicies: { AttachedPolicies: [{ PolicyArn: 'arn:aws:iam::aws:policy/a' }] },
      listRolePolicies: { PolicyNames: ['b'] },
      detachRolePolicy: {},
      deleteRolePolicy: {},
      deleteRole: {},
      ...answers,
    });

  test('keep every role if the list of IAM is incomplete', async () => {
    const { service, called } = iamWith({
      listAttachedRolePolicies: { AttachedPolicies: [], IsTruncated: true },
    });
    expect(await failureOf(removeRole(service as Iam, { kind: 'role', id: role }))).toMatchObject({
      kind: 'unexpected',
      detail: 'the list is incomplete',
    });
    expect(called).not.toContain('deleteRole');
  });
});
