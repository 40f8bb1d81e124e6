import type { AutoScaling as AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { CloudWatch as CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { EC2 } from '@aws-sdk/client-ec2';
import type { IAM } from '@aws-sdk/client-iam';
import type { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { SSM } from '@aws-sdk/client-ssm';
import { STS } from '@aws-sdk/client-sts';
import { type AwsClient, type AwsClientOptions, createAwsClient } from './aws-client.ts';

/** Systems Manager client: Parameter Store, Run Command, agents. */
export type Ssm = AwsClient<SSM>;
export type Sts = AwsClient<STS>;
export type Ec2 = AwsClient<EC2>;
export type AutoScaling = AwsClient<AutoScalingClient>;
export type Tagging = AwsClient<ResourceGroupsTaggingAPI>;
export type Iam = AwsClient<IAM>;
export type CloudWatch = AwsClient<CloudWatchClient>;

export function createSsm(options: AwsClientOptions): Ssm {
  return createAwsClient('SSM', options, async (configuration) => new SSM(configuration));
}

export function createSts(options: AwsClientOptions): Sts {
  return createAwsClient('STS', options, async (configuration) => new STS(configuration));
}

// The other services load on first use, which many commands never need: EC2's client is almost a
// megabyte.

export function createEc2(options: AwsClientOptions): Ec2 {
  return createAwsClient('EC2', options, async (configuration) => {
    const { EC2 } = await import('@aws-sdk/client-ec2');
    return new EC2(configuration);
  });
}

export function createAutoScaling(options: AwsClientOptions): AutoScaling {
  return createAwsClient('Auto Scaling', options, async (configuration) => {
    const { AutoScaling } = await import('@aws-sdk/client-auto-scaling');
    return new AutoScaling(configuration);
  });
}

export function createTagging(options: AwsClientOptions): Tagging {
  return createAwsClient('Resource Groups Tagging', options, async (configuration) => {
    const sdk = await import('@aws-sdk/client-resource-groups-tagging-api');
    return new sdk.ResourceGroupsTaggingAPI(configuration);
  });
}

export function createCloudWatch(options: AwsClientOptions): CloudWatch {
  return createAwsClient('CloudWatch', options, async (configuration) => {
    const { CloudWatch } = await import('@aws-sdk/client-cloudwatch');
    return new CloudWatch(configuration);
  });
}

export function createIam(options: AwsClientOptions): Iam {
  return createAwsClient('IAM', options, async (configuration) => {
    const { IAM } = await import('@aws-sdk/client-iam');
    return new IAM(configuration);
  });
}

/**
 * Finds the region as the AWS SDK does: from AWS_REGION, the profile, or the metadata of this
 * instance (for at most two seconds). Undefined if none has a region. The value is not checked, and
 * no AWS service is called.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-region.html
 */
export async function findRegion(): Promise<string | undefined> {
  const client = new STS({});
  try {
    return await client.config.region();
  } catch (error) {
    const { message } = error as Error;
    if (message === 'Region is missing') return undefined;
    const [, word] = /^Region not accepted: region="(.*)" is/s.exec(message) ?? [];
    if (word === undefined) throw error;
    return word;
  } finally {
    client.destroy();
  }
}
