import type {
  AutoScalingGroup,
  AutoScalingGroupNamesType,
  AutoScaling as Client,
} from '@aws-sdk/client-auto-scaling';
import type { StackShard } from '../../../domain/shard.ts';
import { lacking } from '../aws-client.ts';
import { readAwsPages } from '../pages.ts';
import type { AutoScaling } from '../services.ts';
import { hasTags, isTaggedAs, type TagKeys, toTags } from './tag-match.ts';

/** Lists the groups that carry exactly the stack's and the shard's tags. */
export async function listTaggedGroups(
  autoScaling: AutoScaling,
  keys: TagKeys,
  shard: StackShard,
): Promise<readonly AutoScalingGroup[]> {
  const filters = [
    { Name: `tag:${keys.stackTag}`, Values: [shard.runnerName] },
    { Name: `tag:${keys.shardTag}`, Values: [shard.shard] },
  ];
  const groups = await listGroups(autoScaling, 'by tags', { Filters: filters });
  const untagged = groups.find(({ Tags: tags }) => !hasTags(tags, [keys.stackTag, keys.shardTag]));
  if (untagged !== undefined)
    throw lacking(
      autoScaling,
      'DescribeAutoScalingGroups by tags',
      `a group without the tags: ${nameOf(untagged)}`,
    );
  return groups.filter(({ Tags: tags }) => isTaggedAs(toTags(tags), keys, shard));
}

export async function listNamedGroups(
  autoScaling: AutoScaling,
  names: readonly string[],
): Promise<readonly AutoScalingGroup[]> {
  // Without a name, AWS would list every group of the account.
  if (names.length === 0) return [];
  const request = { AutoScalingGroupNames: [...names] };
  const groups = await listGroups(autoScaling, names.join(', '), request);
  return groups.filter((group) => names.includes(nameOf(group)));
}

async function listGroups(
  autoScaling: AutoScaling,
  which: string,
  request: AutoScalingGroupNamesType,
): Promise<AutoScalingGroup[]> {
  const what = `DescribeAutoScalingGroups ${which}`;
  const groups: AutoScalingGroup[] = [];
  const pages = readAwsPages({
    service: autoScaling,
    what,
    call: (client: Client, token, options) =>
      client.describeAutoScalingGroups({ ...request, MaxRecords: 100, ...token }, options),
  });
  for await (const { AutoScalingGroups: listed } of pages) {
    if (listed === undefined) throw lacking(autoScaling, what, 'no AutoScalingGroups');
    if (listed.some((group) => nameOf(group) === ''))
      throw lacking(autoScaling, what, 'a group without a name');
    groups.push(...listed);
  }
  return groups;
}

export function nameOf({ AutoScalingGroupName: name = '' }: AutoScalingGroup): string {
  return name;
}
