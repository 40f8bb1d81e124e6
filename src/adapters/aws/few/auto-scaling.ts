import type {
  AutoScalingGroupNamesType,
  AutoScalingGroupsType,
  CompleteLifecycleActionType,
  DescribeLifecycleHooksAnswer,
  DescribeLifecycleHooksType,
} from '@aws-sdk/client-auto-scaling';
import { type Asked, type AskOptions, clientOptions, createAsked } from '../ask.ts';
import { type FewService, type Operation, openFewClient } from './client.ts';
import { integer, list, operation, structure, text } from './schema.ts';

export interface AutoScalingClient {
  readonly describeAutoScalingGroups: Operation<AutoScalingGroupNamesType, AutoScalingGroupsType>;
  readonly describeLifecycleHooks: Operation<
    DescribeLifecycleHooksType,
    DescribeLifecycleHooksAnswer
  >;
  readonly completeLifecycleAction: Operation<CompleteLifecycleActionType, object>;
  destroy(): void;
}

export type AutoScaling = Asked<AutoScalingClient>;

export function createAutoScaling(options: AskOptions): AutoScaling {
  return createAsked('Auto Scaling', options, async () => {
    const client = await openFewClient(service, clientOptions(options));
    return {
      describeAutoScalingGroups: client.operation(describeAutoScalingGroups),
      describeLifecycleHooks: client.operation(describeLifecycleHooks),
      completeLifecycleAction: client.operation(completeLifecycleAction),
      destroy: client.destroy,
    };
  });
}

const service: FewService = {
  id: 'Auto Scaling',
  signingName: 'autoscaling',
  protocol: 'query',
  version: '2011-01-01',
  xmlNamespace: 'http://autoscaling.amazonaws.com/doc/2011-01-01/',
  target: 'AutoScaling_2011_01_01',
  place: (region, suffix) => ({ host: `autoscaling.${region}.${suffix}` }),
};

// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_Operations.html
export const describeAutoScalingGroups = operation(
  'DescribeAutoScalingGroups',
  structure('AutoScalingGroupNamesType', {
    AutoScalingGroupNames: () => list(text),
    Filters: () => list(structure('Filter', { Name: text, Values: () => list(text) })),
    NextToken: text,
    MaxRecords: integer,
  }),
  structure('AutoScalingGroupsType', {
    AutoScalingGroups: () =>
      list(
        structure('AutoScalingGroup', {
          AutoScalingGroupName: text,
          Status: text,
          Instances: () => list(structure('Instance', { InstanceId: text, LifecycleState: text })),
          Tags: () => list(structure('TagDescription', { Key: text, Value: text })),
        }),
      ),
    NextToken: text,
  }),
);

export const describeLifecycleHooks = operation(
  'DescribeLifecycleHooks',
  structure('DescribeLifecycleHooksType', { AutoScalingGroupName: text }),
  structure('DescribeLifecycleHooksAnswer', {
    LifecycleHooks: () =>
      list(
        structure('LifecycleHook', {
          LifecycleHookName: text,
          LifecycleTransition: text,
        }),
      ),
  }),
);

export const completeLifecycleAction = operation(
  'CompleteLifecycleAction',
  structure('CompleteLifecycleActionType', {
    LifecycleHookName: text,
    AutoScalingGroupName: text,
    LifecycleActionResult: text,
    InstanceId: text,
  }),
  structure('CompleteLifecycleActionAnswer', {}),
);
