import { expect, test } from '@jest/globals';
import type { AwsClientOptions } from '../../../src/adapters/aws/aws-client.ts';
import { createEc2, createSsm } from '../../../src/adapters/aws/services.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

const options: AwsClientOptions = {
  environment: {},
  clock: createVirtualClock(),
  random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
  redact: (text) => text,
  configuration: {
    endpoint: 'http://aws.example:4566',
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
  },
};

const refused = {
  kind: 'refused',
  effect: 'none',
  detail: 'the URL of aws.example is not https; http is allowed for loopback addresses only',
};

// A profile of ~/.aws/config sets this endpoint, without any variable.
test.each<[string, () => Promise<unknown>]>([
  [
    'SSM, which receives the runner tokens',
    () =>
      createSsm(options).send({
        what: 'PutParameter /x',
        effect: 'write',
        call: (client, given) => client.putParameter({ Name: '/x', Value: 'glrt-x' }, given),
      }),
  ],
  [
    'a service that only reads',
    () =>
      createEc2(options).send({
        what: 'DescribeInstances',
        effect: 'read',
        call: (client, given) => client.describeInstances({}, given),
      }),
  ],
])(
  'no token travels unencrypted to an address that only the SDK knows, through %s',
  async (_, call) => {
    await expect(call()).rejects.toMatchObject(refused);
  },
);
