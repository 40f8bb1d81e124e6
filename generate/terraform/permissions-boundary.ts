import { extentOf, type StackPlace } from '../../src/adapters/aws/access/scopes.ts';
import { logGroups, workerGroups } from './terraform-extents.ts';

/** https://docs.aws.amazon.com/systems-manager/latest/userguide/setup-instance-permissions.html */
const agentActions = [
  'ec2messages:AcknowledgeMessage',
  'ec2messages:DeleteMessage',
  'ec2messages:FailMessage',
  'ec2messages:GetEndpoint',
  'ec2messages:GetMessages',
  'ec2messages:SendReply',
  'ssm:UpdateInstanceInformation',
  'ssmmessages:CreateControlChannel',
  'ssmmessages:CreateDataChannel',
  'ssmmessages:OpenControlChannel',
  'ssmmessages:OpenDataChannel',
];

/**
 * Returns the permissions boundary of the hosts' role: the most that the reference module gives it,
 * on both shards of the stack.
 */
export function boundaryOf(place: StackPlace) {
  const { partition, account, region, runnerName, shards } = place;
  const tokens = extentOf('tokens', { ...place, github: {} }).resources;
  const allow = (Sid: string, Action: string | string[], Resource: string | readonly string[]) => ({
    Sid,
    Effect: 'Allow',
    Action,
    Resource,
  });
  return {
    Version: '2012-10-17',
    Statement: [
      allow('ReadTokens', 'ssm:GetParameter', tokens),
      {
        ...allow('DecryptTokens', 'kms:Decrypt', '*'),
        Condition: { StringEquals: { 'kms:EncryptionContext:PARAMETER_ARN': tokens } },
      },
      allow('AnswerRunCommand', agentActions, '*'),
      allow(
        'WriteLogs',
        ['logs:CreateLogStream', 'logs:PutLogEvents'],
        logGroups(place).map((arn) => `${arn}:*`),
      ),
      allow(
        'AnswerHooks',
        ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
        `arn:${partition}:autoscaling:${region}:${account}:autoScalingGroup:*:autoScalingGroupName/*`,
      ),
      allow(
        'ScaleWorkers',
        ['autoscaling:SetDesiredCapacity', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
        workerGroups(place),
      ),
      allow('FindWorkers', ['autoscaling:DescribeAutoScalingGroups', 'ec2:DescribeInstances'], '*'),
      {
        ...allow(
          'EnterWorkers',
          'ec2-instance-connect:SendSSHPublicKey',
          `arn:${partition}:ec2:${region}:${account}:instance/*`,
        ),
        Condition: {
          StringEquals: {
            'aws:ResourceTag/Name': shards.map((shard) => `${shard}-${runnerName}_worker`),
          },
        },
      },
    ],
  };
}
