import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { sendTermination } from '../../../src/adapters/aws/inventory/instances.ts';
import { createLifecycleHooks } from '../../../src/adapters/aws/inventory/lifecycle-hooks.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/state-store.ts';
import { answered } from '../../support/answered.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { askingAt, keys, openCloud } from '../cloud.ts';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
}

const name = '/runners/linux/deployment_status';
const hostId = 'i-0123456789abcdef0';
let server: Server;
let actions: string[];
let answer: Refusal | 'lost';

/** AWS with one answer to every call, in the form of the service that is asked. */
beforeEach(async () => {
  actions = [];
  server = createServer(
    answered(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      actions.push(actionOf(request, body));
      if (answer === 'lost') request.socket.destroy();
      else refuse(request, response, answer);
    }),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

function actionOf({ headers }: IncomingMessage, body: string): string {
  const target = headers['x-amz-target'];
  if (target !== undefined) return String(target).replace('AmazonSSM.', '');
  return new URLSearchParams(body).get('Action') ?? '';
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { status, code, message = 'its own words' } = refusal;
  if (request.headers['x-amz-target'] !== undefined) {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ __type: code, message }));
    return;
  }
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'text/xml' });
  // Auto Scaling's form, and EC2's.
  response.end(
    actions.at(-1) === 'CompleteLifecycleAction'
      ? `<ErrorResponse>${error}<RequestId>1</RequestId></ErrorResponse>`
      : `<Response><Errors>${error}</Errors><RequestID>1</RequestID></Response>`,
  );
}

function open() {
  const { port } = server.address() as AddressInfo;
  const clock = createVirtualClock();
  const cloud = openCloud(askingAt(`http://127.0.0.1:${port}`, { clock }));
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
const refusals: [Refusal | 'lost', string, string][] = [
  [{ status: 400, code: 'AccessDeniedException' }, 'denied', 'none'],
  [{ status: 403, code: 'UnauthorizedOperation' }, 'denied', 'none'],
  [{ status: 403, code: 'ExpiredToken' }, 'unauthenticated', 'none'],
  [{ status: 401, code: 'AuthFailure' }, 'unauthenticated', 'none'],
  [{ status: 404, code: 'ResourceNotFoundException' }, 'refused', 'none'],
  [{ status: 400, code: 'ParameterVersionNotFound' }, 'refused', 'none'],
  [{ status: 400, code: 'InvalidDocument' }, 'refused', 'none'],
  [{ status: 409, code: 'ConflictException' }, 'refused', 'none'],
  [{ status: 422, code: 'UnsupportedOperation' }, 'refused', 'none'],
  [{ status: 500, code: 'InternalServerError' }, 'unavailable', 'unknown'],
  ['lost', 'unreachable', 'unknown'],
];

describe('a refused write of AWS', () => {
  test.each(
    writes.flatMap(([action, act]) =>
      refusals.map(([given, kind, effect]) => ({
        action,
        act,
        given,
        said: given === 'lost' ? 'a lost response' : given.code,
        kind,
        effect,
      })),
    ),
  )('$action with $said is $kind, effect $effect, and is sent once', async (row) => {
    answer = row.given;
    const { kind, effect } = row;
    await expect(row.act(open())).rejects.toMatchObject({ kind, effect });
    expect(actions).toEqual([row.action]);
  });

  test.each<[string, Refusal]>([
    ['overwrite', { status: 400, code: 'ParameterAlreadyExists' }],
    ['overwrite', { status: 400, code: 'ParameterNotFound' }],
    ['create', { status: 400, code: 'ParameterNotFound' }],
    ['remove', { status: 400, code: 'ParameterAlreadyExists' }],
  ])('%s has no answer in a refusal of another call: %j', async (call, given) => {
    answer = given;
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
    answer = { status: 400, code: 'ValidationError', message };
    const said = await open()
      .hooks.complete(hook)
      .catch(({ kind }: { kind: string }) => kind);
    expect(said).toBe(is);
  });

  test('an instance that EC2 does not know has not been terminated', async () => {
    answer = { status: 400, code: 'InvalidInstanceID.NotFound' };
    const refused = { kind: 'refused', effect: 'none' };
    await expect(sendTermination(open().ec2, hostId)).rejects.toMatchObject(refused);
  });
});
