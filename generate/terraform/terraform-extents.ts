import { extentOf, type StackPlace } from '../../src/adapters/aws/access/scopes.ts';
import type { RunnerName, Shard } from '../../src/domain/shard.ts';
import { fill } from '../../src/domain/text/placeholders.ts';

/** Parts of the ARNs of a stack that the reference module builds. */
export interface TerraformPlace extends StackPlace {
  /** Bucket of the states. */
  readonly bucket: string;
  /** Key of a state, with the placeholders {shard} and {runner_name}. */
  readonly stateKey: string;
}

export interface StatementExtent {
  readonly Resource: string | readonly string[];
  readonly Condition?: { readonly StringEquals: Readonly<Record<string, string | string[]>> };
}

/** Resources of EC2 that the module creates with tags. */
const created = ['instance', 'volume', 'security-group', 'security-group-rule', 'launch-template'];

/** Resources and conditions of Terraform's statements, by the kind of resource. */
export const extents = {
  state_objects: (place) => ({ Resource: states(place, '') }),
  state_locks: (place) => ({ Resource: states(place, '.tflock') }),
  // A condition on the prefix would turn a missing state into a refusal: S3 checks this permission
  // also for a read of a missing object, which has no prefix.
  state_bucket: ({ partition, bucket }) => ({ Resource: `arn:${partition}:s3:::${bucket}` }),
  anything: () => ({ Resource: '*' }),
  tagged_resources: (place) => ({
    Resource: ec2(place, ...created),
    Condition: { StringEquals: tags('aws:ResourceTag', place) },
  }),
  tagged_instances: (place) => ({
    Resource: ec2(place, 'instance')[0] ?? '',
    Condition: { StringEquals: tags('aws:RequestTag', place) },
  }),
  parts_of_instances: (place) => ({
    Resource: [
      `arn:${place.partition}:ec2:${place.region}::image/*`,
      ...ec2(place, 'subnet', 'network-interface', 'volume'),
    ],
  }),
  networks: (place) => ({ Resource: ec2(place, 'vpc')[0] ?? '' }),
  new_resources: (place) => ({
    Resource: ec2(place, 'security-group', 'launch-template'),
    Condition: { StringEquals: tags('aws:RequestTag', place) },
  }),
  new_rules: (place) => ({
    Resource: ec2(place, 'security-group-rule')[0] ?? '',
    Condition: { StringEquals: tags('aws:RequestTag', place) },
  }),
  created_resources: (place) => ({
    Resource: ec2(place, ...created),
    Condition: {
      StringEquals: {
        'ec2:CreateAction': [
          'RunInstances',
          'CreateSecurityGroup',
          'AuthorizeSecurityGroupEgress',
          'AuthorizeSecurityGroupIngress',
          'CreateLaunchTemplate',
        ],
        ...tags('aws:RequestTag', place),
      },
    },
  }),
  // Without this condition, the role could write any permission into the role of the hosts.
  bounded_roles: (place) => ({
    Resource: extentOf('own_roles', place).resources,
    Condition: {
      StringEquals: {
        'iam:PermissionsBoundary': `arn:${place.partition}:iam::${place.account}:policy/hosted-runner-${place.runnerName}-boundary`,
      },
    },
  }),
  passed_roles: (place) => ({
    Resource: extentOf('own_roles', place).resources,
    Condition: {
      // The second name is for China.
      StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] },
    },
  }),
  own_roles: (place) => ({ Resource: extentOf('own_roles', place).resources }),
  own_profiles: (place) => ({ Resource: extentOf('own_profiles', place).resources }),
  own_groups: (place) => ({ Resource: workerGroups(place) }),
  own_logs: (place) => ({ Resource: logGroups(place).flatMap((arn) => [arn, `${arn}:*`]) }),
} satisfies Record<string, (place: TerraformPlace) => StatementExtent>;

export type ExtentName = keyof typeof extents;

/** Lists the ARNs of the stack's Auto Scaling groups. */
export function workerGroups({ partition, account, region, runnerName, shards }: StackPlace) {
  return shards.map(
    (shard) =>
      `arn:${partition}:autoscaling:${region}:${account}:autoScalingGroup:*:autoScalingGroupName/${shard}-${runnerName}_workers-*`,
  );
}

/** Lists the ARNs of the stack's log groups. */
export function logGroups({ partition, account, region, runnerName, shards }: StackPlace) {
  return shards.map(
    (shard) =>
      `arn:${partition}:logs:${region}:${account}:log-group:/gitlab-runner/${shard}-${runnerName}`,
  );
}

function ec2({ partition, account, region }: StackPlace, ...kinds: readonly string[]): string[] {
  return kinds.map((kind) => `arn:${partition}:ec2:${region}:${account}:${kind}/*`);
}

function tags(
  prefix: 'aws:RequestTag' | 'aws:ResourceTag',
  { stackTag, shardTag, runnerName, shards }: StackPlace,
): Record<string, string | string[]> {
  return { [`${prefix}/${stackTag}`]: runnerName, [`${prefix}/${shardTag}`]: [...shards] };
}

function states(
  { partition, bucket, stateKey, shards, runnerName }: TerraformPlace,
  suffix: string,
): string[] {
  return shards.map((shard) => {
    const key = fill(stateKey, { shard: shard as Shard, runnerName: runnerName as RunnerName });
    return `arn:${partition}:s3:::${bucket}/${key}${suffix}`;
  });
}
