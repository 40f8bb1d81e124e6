import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { FaultEffect, Faults } from '../faults.ts';
import { RESET_HEADER, type ResetMoment } from '../faults.ts';
import type { Forward } from './forward.ts';
import type { Body, OperationCall } from './operation.ts';
import { loseRace } from './other-writer.ts';
import type { Parameters } from './parameters.ts';
import { AwsRefusal } from './refusal.ts';
import { callerIdentity } from './sts.ts';
import type { Throttle } from './throttle.ts';

/** AWS at one address: `AmazonSSM.*` by JSON 1.1, and the account's id by STS. */
export function createSsm(world: SsmWorld): Hono {
  const app = new Hono();
  app.post('/', async (context) => {
    const target = context.req.header('x-amz-target');
    const text = await context.req.text();
    if (target === undefined) return callerIdentity(text);
    const operation = target.replace(/^AmazonSSM\./, '');
    try {
      if (context.req.header('authorization') === undefined) {
        throw new AwsRefusal('MissingAuthenticationTokenException', 'Missing Authentication Token');
      }
      return await answer(world, { operation, text, request: context.req.raw });
    } catch (error) {
      if (error instanceof AwsRefusal) return refuse(error);
      if (!(error instanceof SyntaxError)) throw error;
      return refuse(new AwsRefusal('SerializationException', 'The request is not JSON.'));
    }
  });
  return app;
}

export interface SsmWorld {
  readonly operations: Readonly<Record<string, (call: OperationCall) => Body>>;
  readonly parameters: Parameters;
  readonly faults: Faults;
  readonly reads: Throttle;
  readonly writes: Throttle;
  /** Where Parameter Store is somebody else's. */
  readonly forward: Forward | undefined;
}

interface Call {
  operation: string;
  text: string;
  request: Request;
}

async function answer(world: SsmWorld, call: Call): Promise<Response> {
  const { operation } = call;
  const effect = world.faults.pick({
    service: 'ssm',
    method: 'POST',
    path: '/',
    operation,
  })?.effect;
  if (effect?.kind === 'latency') await sleep(effect.ms);
  if (effect?.kind === 'status') return failWith(effect);
  if (effect?.kind === 'reset_before') return reset('before');
  const body = JSON.parse(call.text === '' ? '{}' : call.text) as Body;
  admit(world, operation);
  if (effect?.kind === 'lose_race' && operation === 'PutParameter')
    loseRace(world.parameters, body);
  const response = await perform(world, call, {
    body,
    staleMs: effect?.kind === 'stale' ? effect.ms : 0,
  });
  return effect?.kind === 'reset_after' ? reset('after') : response;
}

async function perform(
  world: SsmWorld,
  call: Call,
  operationCall: OperationCall,
): Promise<Response> {
  if (world.forward?.takes(call.operation)) return world.forward.send(call.request, call.text);
  const operate = Object.hasOwn(world.operations, call.operation)
    ? world.operations[call.operation]
    : undefined;
  if (operate === undefined) throw new AwsRefusal('UnknownOperationException', '');
  return json(200, operate(operationCall));
}

function admit(world: SsmWorld, operation: string): void {
  const reads = ['GetParameter', 'GetParameters', 'GetParametersByPath'];
  const throttle = reads.includes(operation) ? world.reads : world.writes;
  const isLimited = reads.includes(operation) || operation === 'PutParameter';
  if (isLimited && !throttle.admits()) throw throttled();
}

function throttled(): AwsRefusal {
  return new AwsRefusal('ThrottlingException', 'Rate exceeded');
}

/** A fault's status in AWS's words: there is no 429 in this protocol. */
function failWith(effect: Extract<FaultEffect, { kind: 'status' }>): Response {
  const { status, body, retryAfterSeconds } = effect;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (body !== undefined) {
    const type = { 'content-type': 'application/x-amz-json-1.1' };
    return new Response(body, { status, headers: { ...type, ...headers } });
  }
  if (status === 429) return refuse(throttled(), headers);
  if (status === 403) {
    return refuse(
      new AwsRefusal('AccessDeniedException', 'User is not authorized to perform this action.'),
    );
  }
  return refuse(
    new AwsRefusal('InternalServerError', 'An internal error occurred.', status),
    headers,
  );
}

function reset(moment: ResetMoment): Response {
  return new Response(null, { status: 500, headers: { [RESET_HEADER]: moment } });
}

function refuse(error: AwsRefusal, headers: Record<string, string> = {}): Response {
  return json(error.status, { __type: error.code, message: error.message }, headers);
}

function json(status: number, body: Body, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1', ...headers },
  });
}
