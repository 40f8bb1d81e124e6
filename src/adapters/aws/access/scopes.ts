import type { RunnerName, Shard } from '../../../domain/shard.ts';
import { fillAll } from '../../../domain/text/placeholders.ts';
import type { TagKeys } from '../inventory/tag-match.ts';
import type { PermissionScope } from './permissions.ts';

/** Parts of the ARNs of a stack. */
export interface StackPlace extends TagKeys {
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly account: string;
  readonly region: string;
  readonly runnerName: string;
  readonly shards: readonly [string, string];
  /**
   * Names of a shard's roles and instance profiles, with the placeholders {shard} and
   * {runner_name}.
   */
  readonly roleNames: readonly string[];
  /** Prefix of parameter names, which ends with a slash. */
  readonly parameterPrefix: string;
  /** Name of the check document. Absent if checks are sent as AWS-RunShellScript. */
  readonly document?: string | undefined;
  /** Present for stacks of GitHub runners, which store `{shard}/runner_fleet` beside the token. */
  readonly github?: unknown;
}

export interface Extent {
  readonly resources: readonly string[];
  /** Tag values that the resource must have, by IAM condition key. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
}

/** Lists exact names and tags. A star stands only for random ids of AWS. */
export function extentOf(scope: PermissionScope, place: StackPlace): Extent {
  const { partition, account, region, runnerName, shards, parameterPrefix } = place;
  const arn = (service: string, rest: string) =>
    `arn:${partition}:${service}:${region}:${account}:${rest}`;
  const parameters = (...names: string[]): Extent => ({
    resources: names.map((name) => arn('ssm', `parameter${parameterPrefix}${name}`)),
    tags: {},
  });
  const names = shards.map((shard) => `${shard}-${runnerName}_runner-manager`);
  const tagged = (resource: string, prefix = 'aws:ResourceTag'): Extent => ({
    resources: [resource],
    tags: {
      [`${prefix}/${place.stackTag}`]: [runnerName],
      [`${prefix}/${place.shardTag}`]: shards,
    },
  });
  switch (scope) {
    case 'state':
      return parameters(
        'deployment_status',
        'deployment_record',
        'deployment_lock',
        'deployment_hold',
      );
    case 'record_and_lock':
      return parameters('deployment_record', 'deployment_lock');
    case 'status':
      return parameters('deployment_status');
    case 'hold':
      return parameters('deployment_hold');
    case 'tokens':
      return parameters(
        ...shards.map((shard) => `${shard}/runner_token`),
        ...(place.github === undefined ? [] : shards.map((shard) => `${shard}/runner_fleet`)),
      );
    case 'anything':
      return { resources: ['*'], tags: {} };
    case 'hosts':
      return {
        resources: [arn('ec2', 'instance/*'), arn('ssm', 'managed-instance/*')],
        tags: { 'ssm:resourceTag/Name': names },
      };
    case 'shell_document':
      return {
        resources: [`arn:${partition}:ssm:${region}::document/AWS-RunShellScript`],
        tags: {},
      };
    case 'check_document':
      return {
        resources: place.document === undefined ? [] : [arn('ssm', `document/${place.document}`)],
        tags: {},
      };
    case 'named_instances':
      return { resources: [arn('ec2', 'instance/*')], tags: { 'aws:ResourceTag/Name': names } };
    case 'tagged_instances':
      return tagged(arn('ec2', 'instance/*'));
    case 'tagged_interfaces':
      return tagged(arn('ec2', 'network-interface/*'));
    case 'tagged_security_groups':
      return tagged(arn('ec2', 'security-group/*'));
    case 'tagged_groups':
      return tagged(arn('autoscaling', 'autoScalingGroup:*:autoScalingGroupName/*'));
    case 'own_roles':
      return inIam('role', place);
    case 'own_profiles':
      return inIam('instance-profile', place);
  }
}

function inIam(kind: string, place: StackPlace): Extent {
  const { partition, account, runnerName, shards, roleNames } = place;
  const names = shards.flatMap((shard) =>
    fillAll(roleNames, { shard: shard as Shard, runnerName: runnerName as RunnerName }),
  );
  const resources = names.map((name) => `arn:${partition}:iam::${account}:${kind}/${name}`);
  return { resources, tags: {} };
}
