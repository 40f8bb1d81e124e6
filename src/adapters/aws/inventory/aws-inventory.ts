import type { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import type { Instance } from '../../../domain/instance.ts';
import type { TaggedKind, TaggedResource } from '../../../domain/plan/aws-resource.ts';
import { removedKinds } from '../../../domain/plan/sweep-plan.ts';
import type { StackShard } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Inventory } from '../../../ports/cloud/inventory.ts';
import { listRoles, removeProfile, removeRole } from '../access/roles.ts';
import { lacking } from '../aws-client.ts';
import { readAwsPages } from '../pages.ts';
import type { AutoScaling, Ec2, Iam, Tagging } from '../services.ts';
import { listTaggedGroups } from './auto-scaling-groups.ts';
import { awaitEnd, listTaggedInstances, sendTermination } from './ec2-instances.ts';
import { namesOf, resourcesWithTag } from './ec2-tags.ts';
import { hasTags, isTaggedAs, type TagKeys, toTags } from './tag-match.ts';

export interface InventoryOptions {
  readonly tagging: Tagging;
  readonly ec2: Ec2;
  readonly autoScaling: AutoScaling;
  readonly iam: Iam;
  readonly clock: Clock;
  readonly keys: TagKeys;
  /** Name patterns of a shard's roles and instance profiles, for queries to IAM. */
  readonly roleNames: readonly string[];
}

export function createInventory(options: InventoryOptions): Inventory {
  return {
    list: (shard) => list(options, shard),
    remove: (resource, shard) => remove(options, resource, shard),
  };
}

/** Lists EC2 resources from EC2, and all others from the tagging service. */
async function list(
  options: InventoryOptions,
  shard: StackShard,
): Promise<readonly TaggedResource[]> {
  const { autoScaling, keys } = options;
  const groups = await listTaggedGroups(autoScaling, keys, shard);
  const instances = await listInstances(options, shard);
  return [
    ...instances.map(({ id, state, tags, autoScalingGroup }) => ({
      kind: 'instance' as const,
      id,
      state,
      ...nameOf(tags),
      ...(autoScalingGroup === undefined ? {} : { partOf: autoScalingGroup }),
    })),
    ...(await listInEc2(options, shard, instances)),
    ...groups.map(({ AutoScalingGroupName: name = '', Status: status }) => ({
      kind: 'auto_scaling_group' as const,
      id: name,
      ...(status === undefined ? {} : { state: status }),
    })),
    ...(await listElsewhere(options, shard)),
    ...(await listRoles(options, shard)),
  ];
}

async function listInstances(
  { ec2, keys }: InventoryOptions,
  shard: StackShard,
): Promise<Instance[]> {
  const found = await listTaggedInstances(ec2, keys, shard);
  return found.filter(({ state }) => state !== 'terminated');
}

const kinds: Readonly<Record<string, TaggedKind>> = {
  'network-interface': 'network_interface',
  'security-group': 'security_group',
  'security-group-rule': 'security_group_rule',
  volume: 'volume',
  'launch-template': 'launch_template',
};

/**
 * Lists the other EC2 resources. Each tag is queried separately, because EC2 cannot combine two tag
 * filters of a resource with "and".
 */
async function listInEc2(
  { ec2, keys }: InventoryOptions,
  shard: StackShard,
  instances: readonly Instance[],
): Promise<TaggedResource[]> {
  const ofStack = await resourcesWithTag(ec2, keys.stackTag, shard.runnerName);
  if (ofStack.size === 0) return [];
  const ofShard = await resourcesWithTag(ec2, keys.shardTag, shard.shard);
  const found = [...ofStack].filter(([id, type]) => ofShard.has(id) && type !== 'instance');
  if (found.length === 0) return [];
  const names = await namesOf(
    ec2,
    found.map(([id]) => id),
  );
  return found.map(([id, type]) => {
    const name = names.get(id);
    const partOf = instances.find(({ parts = [] }) => parts.includes(id))?.id;
    return {
      ...{ kind: kinds[type] ?? 'other', id },
      ...(name === undefined ? {} : { name }),
      ...(partOf === undefined ? {} : { partOf }),
    };
  });
}

/**
 * Lists resources outside EC2. Only the tagging service knows their tags, and it may lag behind.
 */
async function listElsewhere(
  { tagging, keys }: InventoryOptions,
  shard: StackShard,
): Promise<TaggedResource[]> {
  const what = `GetResources ${keys.stackTag}=${shard.runnerName} ${keys.shardTag}=${shard.shard}`;
  const filters = [
    { Key: keys.stackTag, Values: [shard.runnerName] },
    { Key: keys.shardTag, Values: [shard.shard] },
  ];
  const found: TaggedResource[] = [];
  const pages = readAwsPages({
    service: tagging,
    what,
    call: async (client: ResourceGroupsTaggingAPI, { NextToken: token = '' }, options) => {
      const page = await client.getResources(
        { TagFilters: filters, ResourcesPerPage: 100, PaginationToken: token },
        options,
      );
      return { listed: page.ResourceTagMappingList, NextToken: page.PaginationToken };
    },
  });
  for await (const { listed } of pages) {
    if (listed === undefined) throw lacking(tagging, what, 'no ResourceTagMappingList');
    for (const { ResourceARN: arn, Tags: given } of listed) {
      if (arn === undefined || !hasTags(given, [keys.stackTag, keys.shardTag]))
        throw lacking(tagging, what, `${arn ?? 'a resource without an ARN'} without the tags`);
      const tags = toTags(given);
      if (isTaggedAs(tags, keys, shard) && !isListedElsewhere(arn))
        found.push({ ...ofArn(arn), ...nameOf(tags) });
    }
  }
  return found;
}

/**
 * Excludes EC2, Auto Scaling and IAM, which are queried directly. The tagging service knows only
 * part of IAM.
 */
function isListedElsewhere(arn: string): boolean {
  return /^arn:[^:]+:(?:(?:ec2|autoscaling):|iam::\d+:(?:role|instance-profile)\/)/.test(arn);
}

function ofArn(arn: string): Pick<TaggedResource, 'kind' | 'id'> {
  const group = /^arn:[^:]+:logs:[^:]*:\d*:log-group:([^:]+)/.exec(arn)?.[1];
  return group === undefined ? { kind: 'other', id: arn } : { kind: 'log_group', id: group };
}

async function remove(
  options: InventoryOptions,
  resource: TaggedResource,
  shard: StackShard,
): Promise<'removed' | 'absent'> {
  const { ec2, iam } = options;
  const { kind, id } = resource;
  if (!removedKinds.includes(kind))
    throw ec2.refused(`removal of ${id}`, `hosted-runner does not remove a ${kind}`);
  const now = (await list(options, shard)).find((one) => one.kind === kind && one.id === id);
  if (now === undefined) return 'absent';
  if (kind === 'instance') return endInstance(options, id);
  if (kind === 'security_group' || kind === 'network_interface')
    return removeInEc2(ec2, { kind, id });
  const isRemoved = await (kind === 'role' ? removeRole : removeProfile)(iam, now);
  return isRemoved ? 'removed' : 'absent';
}

async function endInstance({ ec2, clock }: InventoryOptions, id: string): Promise<'removed'> {
  await sendTermination(ec2, id);
  await awaitEnd({ ec2, clock }, id);
  return 'removed';
}

/** EC2 codes for a resource that does not exist. The code of another kind proves nothing. */
const absent = {
  security_group: ['InvalidGroup.NotFound', 'InvalidSecurityGroupID.NotFound'],
  network_interface: ['InvalidNetworkInterfaceID.NotFound'],
} as const;

export async function removeInEc2(
  ec2: Ec2,
  { kind, id }: { kind: keyof typeof absent; id: string },
): Promise<'removed' | 'absent'> {
  const answer = await ec2.send({
    what: kind === 'security_group' ? `DeleteSecurityGroup ${id}` : `DeleteNetworkInterface ${id}`,
    effect: 'write',
    call: (client) =>
      kind === 'security_group'
        ? client.deleteSecurityGroup({ GroupId: id })
        : client.deleteNetworkInterface({ NetworkInterfaceId: id }),
    answers: absent[kind],
  });
  return answer.kind === 'answer' ? 'removed' : 'absent';
}

function nameOf(tags: Readonly<Record<string, string>>): { name?: string } {
  return tags['Name'] === undefined ? {} : { name: tags['Name'] };
}
