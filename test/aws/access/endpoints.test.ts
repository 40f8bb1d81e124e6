import { afterEach, describe, expect, test } from '@jest/globals';
import { permissions } from '../../../src/adapters/aws/access/permissions.ts';
import { extentOf } from '../../../src/adapters/aws/access/scopes.ts';
import { principalOf } from '../../../src/adapters/aws/access/simulation.ts';
import type { AwsClientOptions, SdkClient } from '../../../src/adapters/aws/aws-client.ts';
import {
  createAutoScaling,
  createCloudWatch,
  createEc2,
  createIam,
  createSsm,
  createSts,
  createTagging,
} from '../../../src/adapters/aws/services.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { place as usual } from '../cloud.ts';

const switches = ['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'] as const;
type Switch = (typeof switches)[number];
afterEach(() => {
  for (const name of switches) delete process.env[name];
});

/** Each request is caught when it is signed and before it is sent. */
async function addresses(region: string, set: readonly Switch[]): Promise<string[]> {
  for (const name of set) process.env[name] = 'true';
  const options: AwsClientOptions = {
    environment: {},
    clock: createVirtualClock(),
    random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
    redact: (text) => text,
    retryBudgetMs: 0,
    configuration: { region, credentials: { accessKeyId: 'AKIA', secretAccessKey: 'made-up' } },
  };
  const read = { what: 'a read', effect: 'read' } as const;
  const caught: string[] = [];
  const on = <Client extends SdkClient>(client: Client) => {
    catchRequests(client, caught);
    return client;
  };
  const calls = [
    createSsm(options).send({ ...read, call: (one) => on(one).getParameter({ Name: '/x' }) }),
    createEc2(options).send({ ...read, call: (one) => on(one).describeInstances({}) }),
    createAutoScaling(options).send({
      ...read,
      call: (one) => on(one).describeAutoScalingGroups({}),
    }),
    createCloudWatch(options).send({ ...read, call: (one) => on(one).describeAlarms({}) }),
    createTagging(options).send({ ...read, call: (one) => on(one).getResources({}) }),
    createIam(options).send({ ...read, call: (one) => on(one).getRole({ RoleName: 'x' }) }),
    createSts(options).send({ ...read, call: (one) => on(one).getCallerIdentity({}) }),
  ];
  await Promise.allSettled(calls);
  return caught.sort();
}

interface Caught {
  readonly request: {
    readonly hostname: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

function catchRequests({ middlewareStack }: SdkClient, caught: string[]): void {
  const stack = middlewareStack as { add(middleware: unknown, options: object): void };
  const middleware = () => async (given: Caught) => {
    const { hostname, headers } = given.request;
    const scope = /Credential=AKIA\/\d+\/([^/]+)\/([^/]+)\//.exec(headers['authorization'] ?? '');
    caught.push(`${scope?.[2]} ${hostname}, signed for ${scope?.[1]}`);
    throw new Error('caught');
  };
  stack.add(middleware, { step: 'finalizeRequest', priority: 'low', name: 'catchRequests' });
}

describe('the address of each service', () => {
  test.each<[string, readonly Switch[]]>([
    ['eu-west-1', []],
    ['cn-north-1', []],
    ['us-gov-west-1', []],
    ['us-east-1', ['AWS_USE_FIPS_ENDPOINT']],
    ['us-gov-west-1', ['AWS_USE_FIPS_ENDPOINT']],
    ['eu-west-1', ['AWS_USE_DUALSTACK_ENDPOINT']],
    ['us-east-1', ['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT']],
    ['cn-north-1', ['AWS_USE_DUALSTACK_ENDPOINT']],
  ])('matches the address at AWS in %s with %j', async (region, set) => {
    expect(await addresses(region, set)).toMatchSnapshot();
  });
});

describe.each([
  ['aws-cn', 'cn-north-1'],
  ['aws-us-gov', 'us-gov-west-1'],
])('the partition %s', (partition, region) => {
  const place = { ...usual, partition, account: '111122223333', region };

  test('every resource of a permission check belongs to the partition', () => {
    const arns = permissions
      .flatMap(({ on }) => extentOf(on, place).resources)
      .filter((resource) => resource !== '*');
    expect(arns.length).toBeGreaterThan(10);
    expect(arns.filter((arn) => !arn.startsWith(`arn:${partition}:`))).toEqual([]);
    expect(arns).toContain(`arn:${partition}:ssm:${region}::document/AWS-RunShellScript`);
  });

  test('the IAM simulation uses a role of the partition', () => {
    const arn = `arn:${partition}:sts::111122223333:assumed-role/deploy/job`;
    expect(principalOf({ arn })).toBe(`arn:${partition}:iam::111122223333:role/deploy`);
  });
});
