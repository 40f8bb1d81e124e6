import { afterEach, describe, expect, test } from '@jest/globals';
import { removeProfile, removeRole } from '../../../src/adapters/aws/access/roles.ts';
import { createLifecycleHooks } from '../../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import { removeInEc2 } from '../../../src/adapters/aws/inventory/aws-inventory.ts';
import { sendTermination } from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { createCloudWatch } from '../../../src/adapters/aws/services.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import { failureOf } from '../../support/failure-of.ts';
import { sampleOf } from '../../support/sample.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { keys, openCloud, optionsAt } from '../cloud.ts';
import { calls, hook, pink, profile, storeOf } from './aws-calls.ts';
import {
  again,
  clock,
  keysRefused,
  noResponse,
  type Outcome,
  outage,
  permission,
  rate,
  refused,
} from './outcomes.ts';
import { type Refusal, type RefusingAws, startRefusingAws } from './refusing-aws.ts';

let aws: RefusingAws | undefined;
afterEach(() => aws?.close());

async function refusing(refusal: Refusal | 'lost', succeeding?: Record<string, string>) {
  aws = await startRefusingAws(succeeding);
  aws.refuseWith(refusal);
  const options = optionsAt(aws.url, { clock: createVirtualClock() });
  return { aws, ...openCloud(options), cloudWatch: createCloudWatch(options) };
}

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
  ['lost', noResponse],
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
      expect(world.aws.actions.at(-1)).toBe(row.action);
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
  ] as const)(
    'a %s does not count as absent by the code of another kind: %s',
    async (kind, code) => {
      const { ec2 } = await refusing({ status: 400, code });
      const failure = await failureOf(removeInEc2(ec2, { kind, id: 'x-1' }));
      expect(failure).toMatchObject({ kind: 'refused', effect: 'none' });
    },
  );

  test.each([
    ['ParameterAlreadyExists', 'overwrite'],
    ['ParameterNotFound', 'overwrite'],
    ['ParameterNotFound', 'create'],
    ['ParameterVersionNotFound', 'create'],
    ['ParameterAlreadyExists', 'remove'],
    ['InvalidDocument', 'remove'],
  ] as const)('%s, a response to another call, is not accepted for %s', async (code, call) => {
    const { ssm } = await refusing({ status: 400, code });
    const value = { name: '/x', value: '{}' };
    const written = call === 'remove' ? storeOf(ssm).remove('/x') : storeOf(ssm)[call](value);
    await expect(written).rejects.toMatchObject({ kind: 'refused', effect: 'none' });
  });

  test.each([
    ['No active Lifecycle Action found with instance ID i-0123456789abcdef0', 'gone'],
    ['AutoScalingGroup name not found - null', 'refused'],
  ])(
    'a hook counts as absent only if Auto Scaling reports no active action: %s',
    async (message, is) => {
      const cloud = await refusing({ status: 400, code: 'ValidationError', message });
      const result = await createLifecycleHooks({ ...cloud, keys })
        .complete(hook)
        .catch(({ kind }: { kind: string }) => kind);
      expect(result).toBe(is);
    },
  );

  test('an instance that EC2 does not know does not count as terminated', async () => {
    const { ec2 } = await refusing({ status: 400, code: 'InvalidInstanceID.NotFound' });
    const refused = { kind: 'refused', effect: 'none' };
    await expect(sendTermination(ec2, 'i-0123456789abcdef0')).rejects.toMatchObject(refused);
  });
});
