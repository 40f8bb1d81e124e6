import { createAccount } from '../../src/adapters/aws/access/aws-account.ts';
import type { StackPlace } from '../../src/adapters/aws/access/scopes.ts';
import type { AwsClientOptions } from '../../src/adapters/aws/aws-client.ts';
import { createLifecycleHooks } from '../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import { createInventory } from '../../src/adapters/aws/inventory/aws-inventory.ts';
import { createInstances } from '../../src/adapters/aws/inventory/ec2-instances.ts';
import {
  createAutoScaling,
  createEc2,
  createIam,
  createSsm,
  createSts,
  createTagging,
} from '../../src/adapters/aws/services.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../src/adapters/system/system-random.ts';

export const roleNames = ['{shard}-{runner_name}_runner-manager'];
export const keys = { stackTag: 'hosted-runner:stack', shardTag: 'hosted-runner:shard' };

/** Account and region of the example stack, for whose permissions the tests are. */
export const place: StackPlace = {
  partition: 'aws',
  account: '123456789012',
  region: 'eu-west-1',
  runnerName: 'linux',
  shards: ['pink', 'purple'],
  parameterPrefix: '/gitlab/dedicated/runner/linux/',
  ...keys,
  roleNames,
};

/** Returns client options for a service at this address. */
export function optionsAt(
  endpoint: string,
  more: Partial<AwsClientOptions> = {},
): AwsClientOptions {
  return {
    environment: process.env,
    clock: createSystemClock(),
    random: createSystemRandom(),
    redact: (text) => text,
    retryBudgetMs: 2000,
    // An emulator loads a service at its first request, which takes long on a loaded machine.
    requestTimeoutMs: 60_000,
    configuration: {
      endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    },
    ...more,
  };
}

export function openCloud(options: AwsClientOptions) {
  return {
    ssm: createSsm(options),
    ec2: createEc2(options),
    autoScaling: createAutoScaling(options),
    tagging: createTagging(options),
    iam: createIam(options),
    account: createAccount(createSts(options), options.credentials),
  };
}

export function connectCloud(endpoint: string, more: Partial<AwsClientOptions> = {}) {
  const options = optionsAt(endpoint, more);
  const { account, ...services } = openCloud(options);
  const { ec2, autoScaling, tagging, iam } = services;
  const { clock } = options;
  return {
    account,
    instances: createInstances({ ec2, clock, keys }),
    inventory: createInventory({ ec2, autoScaling, tagging, iam, clock, keys, roleNames }),
    hooks: createLifecycleHooks({ ec2, autoScaling, keys }),
    close() {
      for (const service of Object.values(services)) service.close();
    },
  };
}
