import { afterEach, describe, expect, test } from '@jest/globals';
import { removeProfile, removeRole } from '../../../src/adapters/aws/access/roles.ts';
import { simulate } from '../../../src/adapters/aws/access/simulation.ts';
import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import { listNamedGroups } from '../../../src/adapters/aws/inventory/auto-scaling-groups.ts';
import { removeInEc2 } from '../../../src/adapters/aws/inventory/aws-inventory.ts';
import { findInstance } from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { resourcesWithTag } from '../../../src/adapters/aws/inventory/ec2-tags.ts';
import { createCloudWatch } from '../../../src/adapters/aws/services.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import { failureOf } from '../../support/failure-of.ts';
import { sampleOf } from '../../support/sample.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { askingAt, openCloud, place } from '../cloud.ts';
import {
  again,
  clock,
  keysRefused,
  type Outcome,
  outage,
  permission,
  rate,
  refused,
  silence,
} from './outcomes.ts';
import { type Refusal, type RefusingAws, startRefusingAws } from './refusing-aws.ts';

const hostId = 'i-0123456789abcdef0';
const role = 'arn:aws:iam::123456789012:role/deploy';
let aws: RefusingAws | undefined;
afterEach(() => aws?.close());

async function refusing(refusal: Refusal | 'lost', succeeding?: Record<string, string>) {
  aws = await startRefusingAws(succeeding);
  aws.refuseWith(refusal);
  const asking = askingAt(aws.url, { clock: createVirtualClock() });
  return { aws, asking, ...openCloud(asking), cloudWatch: createCloudWatch(asking) };
}

type World = Awaited<ReturnType<typeof refusing>>;

interface Call {
  readonly action: string;
  readonly effect: 'read' | 'write';
  readonly call: (world: World) => Promise<unknown>;
  readonly before?: Record<string, string>;
}

const pink = { kind: 'role', id: 'arn:aws:iam::123456789012:role/pink' } as const;
const profile = { kind: 'instance_profile', id: 'arn:aws:iam::1:instance-profile/pink' } as const;
const removal: Call['call'] = ({ iam }) => removeRole(iam, pink);
const list = (name: string, ...members: string[]) =>
  `<${name}>${members.map((one) => `<member>${one}</member>`).join('')}</${name}><IsTruncated>false</IsTruncated>`;
const noProfiles = { ListInstanceProfilesForRole: list('InstanceProfiles') };
const attached = {
  ...noProfiles,
  ListAttachedRolePolicies: list(
    'AttachedPolicies',
    '<PolicyName>core</PolicyName><PolicyArn>arn:aws:iam::aws:policy/core</PolicyArn>',
  ),
};
const inline = {
  ...attached,
  DetachRolePolicy: '',
  ListRolePolicies: list('PolicyNames', 'own'),
};
const held = {
  GetInstanceProfile: `<InstanceProfile><InstanceProfileName>pink</InstanceProfileName>${list('Roles', '<RoleName>pink</RoleName>')}</InstanceProfile>`,
};

const read = 'read';
const write = 'write';
const calls: readonly Call[] = [
  { action: 'GetInstanceProfile', effect: read, call: ({ iam }) => removeProfile(iam, profile) },
  {
    action: 'RemoveRoleFromInstanceProfile',
    effect: write,
    before: held,
    call: ({ iam }) => removeProfile(iam, profile),
  },
  {
    action: 'DeleteInstanceProfile',
    effect: write,
    before: { ...held, RemoveRoleFromInstanceProfile: '' },
    call: ({ iam }) => removeProfile(iam, profile),
  },
  { action: 'ListInstanceProfilesForRole', effect: read, call: removal },
  { action: 'ListAttachedRolePolicies', effect: read, before: noProfiles, call: removal },
  { action: 'DetachRolePolicy', effect: write, before: attached, call: removal },
  { action: 'DeleteRolePolicy', effect: write, before: inline, call: removal },
  {
    action: 'DeleteRole',
    effect: write,
    before: { ...inline, DeleteRolePolicy: '' },
    call: removal,
  },
  {
    action: 'SimulatePrincipalPolicy',
    effect: read,
    call: ({ iam }) =>
      simulate(iam, { principal: role, place }, [
        { action: 'ec2:DescribeTags', on: 'anything', roles: ['cleanup'], why: '' } as never,
      ]),
  },
  {
    action: 'DeleteSecurityGroup',
    effect: write,
    call: ({ ec2 }) => removeInEc2(ec2, { kind: 'security_group', id: 'sg-1' }),
  },
  {
    action: 'DeleteNetworkInterface',
    effect: write,
    call: ({ ec2 }) => removeInEc2(ec2, { kind: 'network_interface', id: 'eni-1' }),
  },
  { action: 'DescribeInstances', effect: read, call: ({ ec2 }) => findInstance(ec2, hostId) },
  {
    action: 'DescribeAlarms',
    effect: read,
    call: ({ cloudWatch }) => createAlarms({ cloudWatch, redact: (text) => text }).read(['errors']),
  },
  {
    action: 'DescribeAutoScalingGroups',
    effect: read,
    call: ({ autoScaling }) => listNamedGroups(autoScaling, ['pink-linux']),
  },
  {
    action: 'DescribeTags',
    effect: read,
    call: ({ ec2 }) => resourcesWithTag(ec2, 'hosted-runner:stack', 'linux'),
  },
  {
    action: 'GetParameter',
    effect: read,
    call: ({ ssm }) => createParameterStore({ ssm }).find('/runners/linux/deployment_status'),
  },
  { action: 'GetCallerIdentity', effect: read, call: ({ account }) => account.readIdentity() },
];

const refusals: readonly (readonly [Refusal | 'lost', Outcome])[] = [
  [{ status: 403, code: 'AccessDenied' }, permission],
  [{ status: 400, code: 'AccessDeniedException' }, permission],
  [{ status: 403, code: 'UnauthorizedOperation' }, permission],
  [{ status: 403, code: 'OptInRequired' }, permission],
  [{ status: 403, code: 'InvalidClientTokenId' }, keysRefused],
  [{ status: 401, code: 'AuthFailure' }, keysRefused],
  [{ status: 403, code: 'MissingAuthenticationToken' }, keysRefused],
  [{ status: 403, code: 'ExpiredToken' }, keysRefused],
  [{ status: 403, code: 'RequestExpired' }, clock],
  [{ status: 400, code: 'Throttling' }, rate],
  [{ status: 400, code: 'ThrottlingException' }, rate],
  [{ status: 503, code: 'RequestLimitExceeded' }, rate],
  [{ status: 429, code: 'TooManyRequestsException' }, rate],
  [{ status: 429, code: 'AnUnknownCode' }, rate],
  [{ status: 409, code: 'ConcurrentModification' }, rate],
  [{ status: 400, code: 'RequestTimeout' }, outage],
  [{ status: 408, code: 'RequestTimeoutException' }, outage],
  [{ status: 500, code: 'InternalFailure' }, outage],
  [{ status: 500, code: 'ServiceFailure' }, outage],
  [{ status: 503, code: 'ServiceUnavailable' }, outage],
  [{ status: 409, code: 'DeleteConflict' }, refused],
  [{ status: 400, code: 'UnmodifiableEntity' }, refused],
  [{ status: 400, code: 'DependencyViolation' }, refused],
  [{ status: 400, code: 'InvalidNetworkInterface.InUse' }, refused],
  [{ status: 400, code: 'InvalidParameterValue' }, refused],
  [{ status: 400, code: 'ResourceNotFound' }, refused],
  [{ status: 404, code: 'AnUnknownCode' }, refused],
  ['lost', silence],
];

const refusedCalls = calls.flatMap((call) =>
  refusals.map(([given, outcome]) => ({
    ...call,
    given,
    outcome,
    what: given === 'lost' ? 'a lost response' : `${given.status} ${given.code}`,
    ...outcome,
    effect: call.effect === 'read' ? ('none' as const) : outcome.effect,
    isRead: call.effect === 'read',
  })),
);

describe('a refused call of AWS', () => {
  test.each(sampleOf(refusedCalls, ({ action, what }) => `${action} ${what}`))(
    '$action with $what is $error, exit $exitCode, sent $sent',
    async (row) => {
      const world = await refusing(row.given, row.before);
      const failure = await failureOf(row.call(world));
      expect(failure.effect).toBe(row.effect);
      const { code, exitCode, fix = [] } = fromPortFailure(failure, again).fields;
      expect({ code, exitCode }).toEqual({ code: row.error, exitCode: row.exitCode });
      expect(fix[0]).toMatch(row.fix);
      expect(fix.at(-1)).toContain(again);
      const sent = world.aws.actions.filter((one) => one === row.action).length;
      const isSentAgain = row.sent === 'again' || (row.sent === 'again if it reads' && row.isRead);
      expect(sent > 1).toBe(isSentAgain);
    },
  );

  test.each(['NoSuchEntity', 'NoSuchEntityException'])(
    'a role or profile that IAM does not know (%s) is absent',
    async (code) => {
      const { iam } = await refusing({ status: 404, code });
      expect([await removeRole(iam, pink), await removeProfile(iam, profile)]).toEqual([
        false,
        false,
      ]);
    },
  );

  test.each([
    ['security_group', 'InvalidGroup.NotFound'],
    ['security_group', 'InvalidSecurityGroupID.NotFound'],
    ['network_interface', 'InvalidNetworkInterfaceID.NotFound'],
  ] as const)('a %s that EC2 does not know (%s) is absent', async (kind, code) => {
    const { ec2 } = await refusing({ status: 400, code });
    expect(await removeInEc2(ec2, { kind, id: 'x-1' })).toBe('absent');
  });

  test.each([
    ['security_group', 'InvalidNetworkInterfaceID.NotFound'],
    ['network_interface', 'InvalidGroup.NotFound'],
    ['network_interface', 'InvalidInstanceID.NotFound'],
  ] as const)('a %s is not absent by the code of another kind: %s', async (kind, code) => {
    const { ec2 } = await refusing({ status: 400, code });
    const failure = await failureOf(removeInEc2(ec2, { kind, id: 'x-1' }));
    expect(failure).toMatchObject({ kind: 'refused', effect: 'none' });
  });
});
