import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import {
  listNamedGroups,
  listTaggedGroups,
} from '../../../src/adapters/aws/inventory/auto-scaling-groups.ts';
import { createLifecycleHooks } from '../../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import {
  createInstances,
  findInstance,
  listByName,
} from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { resourcesWithTag } from '../../../src/adapters/aws/inventory/ec2-tags.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { createClient } from '../stub-client.ts';
import { at, instanceId, keys, kindOf, ourTags, pink, type Reading } from './reading-answers.ts';

const machine = {
  InstanceId: instanceId,
  State: { Name: 'terminated', Code: 48 },
  LaunchTime: at,
  StateTransitionReason: 'User initiated',
  PublicIpAddress: '203.0.113.7',
  PrivateIpAddress: '10.0.0.7',
  Tags: [
    { Key: 'Name', Value: 'pink-linux_runner-manager' },
    ...ourTags,
    { Key: 'aws:autoscaling:groupName', Value: 'pink-linux' },
  ],
  BlockDeviceMappings: [{ Ebs: { VolumeId: 'vol-1' } }],
  NetworkInterfaces: [{ NetworkInterfaceId: 'eni-1' }],
};
export const machines = { Reservations: [{ Instances: [machine] }] };
const inMachine = 'Reservations.0.Instances.0';
const ofMachine = {
  'Reservations missing': 'unread',
  'Reservations.0.Instances missing': 'unread',
  [`${inMachine}.InstanceId missing`]: 'unread',
  [`${inMachine}.InstanceId another word`]: 'unread',
  [`${inMachine}.State missing`]: 'unknown',
  [`${inMachine}.State.Name missing`]: 'unknown',
  [`${inMachine}.State.Name another word`]: 'unknown',
  [`${inMachine}.LaunchTime missing`]: 'unread',
};

const group = {
  AutoScalingGroupName: 'pink-linux',
  AutoScalingGroupARN: 'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:1',
  Status: 'Delete in progress',
  Instances: [{ InstanceId: instanceId, LifecycleState: 'Terminating:Wait' }],
  Tags: ourTags,
};
export const groups = { AutoScalingGroups: [group] };
const hook = {
  LifecycleHookName: 'drain',
  AutoScalingGroupName: 'pink-linux',
  LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
};
const named = (given: readonly { AutoScalingGroupName?: string | undefined }[]) =>
  given.map(({ AutoScalingGroupName: name }) => name).join();

function waiting(answers: object): Promise<readonly { hook: string; instance: string }[]> {
  const cloud = {
    describeAutoScalingGroups: groups,
    describeInstances: machines,
    describeLifecycleHooks: { LifecycleHooks: [hook] },
    ...answers,
  };
  return createLifecycleHooks({
    autoScaling: createClient(cloud),
    ec2: createClient(cloud),
    keys,
  }).listWaiting(pink);
}
const whoWaits = (found: { hook: string; instance: string }[]) =>
  found.map((one) => `${one.hook} ${one.instance}`).join();
const ofTags = (list: string, other?: string) =>
  Object.fromEntries([
    [`${list} missing`, 'unread'],
    ...[0, 1].flatMap((nth) => [
      [`${list}.${nth}.Key missing`, 'unread'],
      [`${list}.${nth}.Key another word`, 'unread'],
      [`${list}.${nth}.Value missing`, 'unread'],
      ...(other === undefined ? [] : [[`${list}.${nth}.Value another word`, other]]),
    ]),
  ]);

/** Alarm of EC2 and Auto Scaling. */
const alarm = { AlarmName: 'runner-errors', StateValue: 'ALARM', StateReason: '3 errors' };

export const machineReadings: readonly Reading[] = [
  {
    operation: 'cloudwatch-alarms.ts describeAlarms',
    answer: { MetricAlarms: [alarm], CompositeAlarms: [], LogAlarms: [] },
    read: (answer) =>
      createAlarms({
        cloudWatch: createClient({ describeAlarms: answer }),
        redact: (text) => text,
      }).read([alarm.AlarmName]),
    format: (found: { state: string }[]) => found.map(({ state }) => state).join(),
    is: 'alarm',
    otherwise: {
      'MetricAlarms missing': 'absent',
      'MetricAlarms.0.AlarmName missing': 'absent',
      'MetricAlarms.0.AlarmName another word': 'absent',
      'MetricAlarms.0.StateValue missing': 'unknown',
      'MetricAlarms.0.StateValue another word': 'unknown',
    },
  },
  {
    operation: 'ec2-instances.ts describeInstances',
    answer: machines,
    read: (answer) => findInstance(createClient({ describeInstances: answer }), instanceId),
    format: (found: { state: string } | undefined) => String(found?.state),
    is: 'terminated',
    otherwise: {
      ...ofMachine,
      ...Object.fromEntries(
        [0, 1, 2, 3].map((nth) => [`${inMachine}.Tags.${nth}.Key missing`, 'unread']),
      ),
    },
  },
  {
    operation: 'ec2-instances.ts describeInstances',
    answer: machines,
    read: (answer) =>
      listByName(createClient({ describeInstances: answer }), 'pink-linux_runner-manager'),
    format: (found: { state: string }[]) => found.map(({ state }) => state).join(),
    is: 'terminated',
    otherwise: {
      ...ofMachine,
      [`${inMachine}.Tags missing`]: 'unread',
      ...Object.fromEntries(
        [0, 1, 2, 3].map((nth) => [`${inMachine}.Tags.${nth}.Key missing`, 'unread']),
      ),
      [`${inMachine}.Tags.0.Value missing`]: 'unread',
      // EC2's filter supports wildcards, so this machine has another key.
      [`${inMachine}.Tags.0.Key another word`]: 'unread',
      [`${inMachine}.Tags.0.Value another word`]: '',
    },
  },
  {
    operation: 'ec2-instances.ts terminateInstances',
    // A dry run always ends in an error. A success does not come from a dry run.
    answer: { TerminatingInstances: [{ InstanceId: instanceId }] },
    read: (answer) =>
      createInstances({
        ec2: createClient({ terminateInstances: answer }),
        clock: createVirtualClock(),
        keys: { stackTag: 'stack', shardTag: 'shard' },
      }).rehearseTermination(instanceId),
    format: kindOf,
    is: 'unread',
    otherwise: {},
  },
  {
    operation: 'ec2-tags.ts describeTags',
    answer: {
      Tags: [
        { ResourceId: 'eni-1', ResourceType: 'network-interface', Key: 'stack', Value: 'linux' },
      ],
    },
    read: (answer) => resourcesWithTag(createClient({ describeTags: answer }), 'stack', 'linux'),
    format: (found: ReadonlyMap<string, string>) => [...found.keys()].join(),
    is: 'eni-1',
    otherwise: {
      'Tags missing': 'unread',
      'Tags.0.ResourceId missing': 'unread',
      'Tags.0.ResourceId another word': 'Surprise',
      'Tags.0.Key missing': 'unread',
      'Tags.0.Key another word': 'unread',
      'Tags.0.Value missing': 'unread',
      'Tags.0.Value another word': '',
    },
  },
  {
    operation: 'auto-scaling-groups.ts describeAutoScalingGroups',
    answer: groups,
    read: (answer) =>
      listTaggedGroups(createClient({ describeAutoScalingGroups: answer }), keys, pink),
    format: named,
    is: 'pink-linux',
    otherwise: {
      'AutoScalingGroups missing': 'unread',
      'AutoScalingGroups.0.AutoScalingGroupName missing': 'unread',
      'AutoScalingGroups.0.AutoScalingGroupName another word': 'Surprise',
      ...ofTags('AutoScalingGroups.0.Tags', ''),
    },
  },
  {
    operation: 'auto-scaling-groups.ts describeAutoScalingGroups',
    answer: groups,
    read: (answer) =>
      listNamedGroups(createClient({ describeAutoScalingGroups: answer }), ['pink-linux']),
    format: named,
    is: 'pink-linux',
    otherwise: {
      'AutoScalingGroups missing': 'unread',
      'AutoScalingGroups.0.AutoScalingGroupName missing': 'unread',
      'AutoScalingGroups.0.AutoScalingGroupName another word': '',
    },
  },
  {
    operation: 'auto-scaling-groups.ts describeAutoScalingGroups',
    answer: groups,
    read: (answer) => waiting({ describeAutoScalingGroups: answer }),
    format: whoWaits,
    is: 'drain terminated',
    otherwise: {
      'AutoScalingGroups missing': 'unread',
      'AutoScalingGroups.0.AutoScalingGroupName missing': 'unread',
      'AutoScalingGroups.0.Instances missing': 'unread',
      'AutoScalingGroups.0.Instances.0.InstanceId missing': 'unread',
      'AutoScalingGroups.0.Instances.0.InstanceId another word': 'refused',
      'AutoScalingGroups.0.Instances.0.LifecycleState missing': 'unread',
      'AutoScalingGroups.0.Instances.0.LifecycleState another word': '',
      // The group has other tags, but contains an instance of the stack.
      ...ofTags('AutoScalingGroups.0.Tags'),
    },
  },
  {
    operation: 'auto-scaling-hooks.ts describeLifecycleHooks',
    answer: { LifecycleHooks: [hook] },
    read: (answer) => waiting({ describeLifecycleHooks: answer }),
    format: whoWaits,
    is: 'drain terminated',
    otherwise: {
      'LifecycleHooks missing': 'unread',
      'LifecycleHooks.0.LifecycleHookName missing': 'unread',
      'LifecycleHooks.0.LifecycleHookName another word': 'Surprise terminated',
      'LifecycleHooks.0.LifecycleTransition missing': 'unread',
      'LifecycleHooks.0.LifecycleTransition another word': '',
    },
  },
];
