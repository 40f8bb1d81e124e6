import type {
  DeleteNetworkInterfaceRequest,
  DeleteSecurityGroupRequest,
  DescribeInstancesRequest,
  DescribeInstancesResult,
  DescribeTagsRequest,
  DescribeTagsResult,
  TerminateInstancesRequest,
} from '@aws-sdk/client-ec2';
import { type Asked, type AskOptions, clientOptions, createAsked } from '../ask.ts';
import { type FewService, type Operation, openFewClient } from './client.ts';
import {
  flag,
  integer,
  list,
  moment,
  named,
  operation,
  type Shape,
  structure,
  text,
} from './schema.ts';

export interface Ec2Client {
  readonly describeInstances: Operation<DescribeInstancesRequest, DescribeInstancesResult>;
  readonly describeTags: Operation<DescribeTagsRequest, DescribeTagsResult>;
  readonly terminateInstances: Operation<TerminateInstancesRequest, object>;
  readonly deleteNetworkInterface: Operation<DeleteNetworkInterfaceRequest, object>;
  readonly deleteSecurityGroup: Operation<DeleteSecurityGroupRequest, object>;
  destroy(): void;
}

export type Ec2 = Asked<Ec2Client>;

export function createEc2(options: AskOptions): Ec2 {
  return createAsked('EC2', options, async () => {
    const client = await openFewClient(service, clientOptions(options));
    return {
      describeInstances: client.operation(describeInstances),
      describeTags: client.operation(describeTags),
      terminateInstances: client.operation(terminateInstances),
      deleteNetworkInterface: client.operation(deletion('NetworkInterface')),
      deleteSecurityGroup: client.operation(deletion('SecurityGroup')),
      destroy: client.destroy,
    };
  });
}

const service: FewService = {
  id: 'EC2',
  signingName: 'ec2',
  protocol: 'ec2',
  version: '2016-11-15',
  xmlNamespace: 'http://ec2.amazonaws.com/doc/2016-11-15',
  target: 'AmazonEC2',
  place: (region, suffix) => ({ host: `ec2.${region}.${suffix}` }),
};

// https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Operations.html
const filters = named(
  list(structure('Filter', { Name: text, Values: named(list(text), 'value') }), 'Filter'),
  'filter',
);
/** A list in an answer. */
function items(entry: Shape): Shape {
  return list(entry, 'item');
}

const dryRun = named(flag, 'dryRun');
const paging = { NextToken: named(text, 'nextToken'), MaxResults: named(integer, 'maxResults') };
const tags = named(
  items(structure('Tag', { Key: named(text, 'key'), Value: named(text, 'value') })),
  'tagSet',
);
const state = structure('InstanceState', { Name: named(text, 'name') });
const instanceIds = named(list(text, 'InstanceId'), 'instanceId');

const disk = structure('InstanceBlockDeviceMapping', {
  Ebs: named(structure('EbsInstanceBlockDevice', { VolumeId: named(text, 'volumeId') }), 'ebs'),
});
const networkInterface = structure('InstanceNetworkInterface', {
  NetworkInterfaceId: named(text, 'networkInterfaceId'),
});

const instance = structure('Instance', {
  InstanceId: named(text, 'instanceId'),
  State: named(state, 'instanceState'),
  LaunchTime: named(moment, 'launchTime'),
  StateTransitionReason: named(text, 'reason'),
  PublicIpAddress: named(text, 'ipAddress'),
  PrivateIpAddress: named(text, 'privateIpAddress'),
  Tags: tags,
  BlockDeviceMappings: named(items(disk), 'blockDeviceMapping'),
  NetworkInterfaces: named(items(networkInterface), 'networkInterfaceSet'),
});

export const describeInstances = operation(
  'DescribeInstances',
  structure('DescribeInstancesRequest', {
    Filters: filters,
    InstanceIds: instanceIds,
    DryRun: dryRun,
    ...paging,
  }),
  structure('DescribeInstancesResult', {
    NextToken: named(text, 'nextToken'),
    Reservations: named(
      items(structure('Reservation', { Instances: named(items(instance), 'instancesSet') })),
      'reservationSet',
    ),
  }),
);

export const describeTags = operation(
  'DescribeTags',
  structure('DescribeTagsRequest', { Filters: filters, DryRun: dryRun, ...paging }),
  structure('DescribeTagsResult', {
    NextToken: named(text, 'nextToken'),
    Tags: named(
      items(
        structure('TagDescription', {
          ResourceId: named(text, 'resourceId'),
          ResourceType: named(text, 'resourceType'),
          Key: named(text, 'key'),
          Value: named(text, 'value'),
        }),
      ),
      'tagSet',
    ),
  }),
);

export const terminateInstances = operation(
  'TerminateInstances',
  structure('TerminateInstancesRequest', { InstanceIds: instanceIds, DryRun: dryRun }),
  structure('TerminateInstancesResult', {}),
);

function deletion(resource: 'NetworkInterface' | 'SecurityGroup'): readonly unknown[] {
  const id = resource === 'SecurityGroup' ? 'GroupId' : 'NetworkInterfaceId';
  return operation(
    `Delete${resource}`,
    structure(`Delete${resource}Request`, {
      [id]: named(text, `${id.charAt(0).toLowerCase()}${id.slice(1)}`),
      DryRun: dryRun,
    }),
    structure(`Delete${resource}Result`, {}),
  );
}
