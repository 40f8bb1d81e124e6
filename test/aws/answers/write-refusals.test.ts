import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { createLifecycleHooks } from '../../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import { sendTermination } from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { askingAt, keys, openCloud } from '../cloud.ts';
import { type Refusal, type RefusingAws, startRefusingAws } from './refusing-aws.ts';

const name = '/runners/linux/deployment_status';
const hostId = 'i-0123456789abcdef0';
let aws: RefusingAws;
beforeEach(async () => {
  aws = await startRefusingAws();
});
afterEach(() => aws.close());

function open() {
  const clock = createVirtualClock();
  const cloud = openCloud(askingAt(aws.url, { clock }));
  const commands = createRunCommand({ ssm: cloud.ssm, clock });
  const order = { hostId, script: 'true', comment: '', executionSeconds: 1 };
  return {
    ...cloud,
    store: createParameterStore({ ssm: cloud.ssm }),
    hooks: createLifecycleHooks({ ...cloud, keys }),
    act: () => commands.run({ ...order, effect: 'write' }),
  };
}

type World = ReturnType<typeof open>;
const hook = { group: 'runners', hook: 'drain', instanceId: hostId, instance: 'alive' } as const;

const writes: [string, (world: World) => Promise<unknown>][] = [
  ['PutParameter', ({ store }) => store.create({ name, value: '{}' })],
  ['PutParameter', ({ store }) => store.overwrite({ name, value: '{}' })],
  ['DeleteParameter', ({ store }) => store.remove(name)],
  ['SendCommand', ({ act }) => act()],
  ['TerminateInstances', ({ ec2 }) => sendTermination(ec2, hostId)],
  ['CompleteLifecycleAction', ({ hooks }) => hooks.complete(hook)],
];

/** Each has a neighbour that is an answer to some call, and none of these is an answer to any. */
const refusals: [Refusal | 'lost', string, string, ('again' | 'once')?][] = [
  [{ status: 400, code: 'AccessDeniedException' }, 'denied', 'none'],
  [{ status: 403, code: 'UnauthorizedOperation' }, 'denied', 'none'],
  [{ status: 403, code: 'ExpiredToken' }, 'unauthenticated', 'none'],
  [{ status: 401, code: 'AuthFailure' }, 'unauthenticated', 'none'],
  [{ status: 404, code: 'ResourceNotFoundException' }, 'refused', 'none'],
  [{ status: 400, code: 'ParameterVersionNotFound' }, 'refused', 'none'],
  [{ status: 400, code: 'InvalidDocument' }, 'refused', 'none'],
  [{ status: 409, code: 'ConflictException' }, 'refused', 'none'],
  [{ status: 422, code: 'UnsupportedOperation' }, 'refused', 'none'],
  [{ status: 400, code: 'RequestTimeout' }, 'unavailable', 'unknown'],
  [{ status: 429, code: 'TooManyRequestsException' }, 'throttled', 'none', 'again'],
  [{ status: 400, code: 'ThrottlingException' }, 'throttled', 'none', 'again'],
  [{ status: 503, code: 'RequestLimitExceeded' }, 'throttled', 'none', 'again'],
  [{ status: 500, code: 'InternalServerError' }, 'unavailable', 'unknown'],
  [{ status: 503, code: 'ServiceUnavailable' }, 'unavailable', 'unknown'],
  ['lost', 'unreachable', 'unknown'],
];

describe('a refused write of AWS', () => {
  test.each(
    writes.flatMap(([action, act]) =>
      refusals.map(([given, kind, effect, sent = 'once']) => ({
        action,
        act,
        given,
        said: given === 'lost' ? 'a lost response' : given.code,
        kind,
        effect,
        sent,
      })),
    ),
  )('$action with $said is $kind, effect $effect, and is sent $sent', async (row) => {
    aws.refuseWith(row.given);
    const { kind, effect } = row;
    await expect(row.act(open())).rejects.toMatchObject({ kind, effect });
    expect(new Set(aws.actions)).toEqual(new Set([row.action]));
    expect(aws.actions.length > 1).toBe(row.sent === 'again');
  });

  test.each<[string, Refusal]>([
    ['overwrite', { status: 400, code: 'ParameterAlreadyExists' }],
    ['overwrite', { status: 400, code: 'ParameterNotFound' }],
    ['create', { status: 400, code: 'ParameterNotFound' }],
    ['remove', { status: 400, code: 'ParameterAlreadyExists' }],
  ])('%s has no answer in a refusal of another call: %j', async (call, given) => {
    aws.refuseWith(given);
    const { store } = open();
    const written =
      call === 'remove'
        ? store.remove(name)
        : call === 'create'
          ? store.create({ name, value: '{}' })
          : store.overwrite({ name, value: '{}' });
    await expect(written).rejects.toMatchObject({ kind: 'refused', effect: 'none' });
  });

  test.each([
    ['No active Lifecycle Action found with instance ID i-0123456789abcdef0', 'gone'],
    ['AutoScalingGroup name not found - null', 'refused'],
  ])('a hook is gone only if Auto Scaling reports no active action: %s', async (message, is) => {
    aws.refuseWith({ status: 400, code: 'ValidationError', message });
    const said = await open()
      .hooks.complete(hook)
      .catch(({ kind }: { kind: string }) => kind);
    expect(said).toBe(is);
  });

  test('an instance that EC2 does not know has not been terminated', async () => {
    aws.refuseWith({ status: 400, code: 'InvalidInstanceID.NotFound' });
    const refused = { kind: 'refused', effect: 'none' };
    await expect(sendTermination(open().ec2, hostId)).rejects.toMatchObject(refused);
  });
});
