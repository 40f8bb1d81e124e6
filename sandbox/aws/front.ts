import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { FaultEffect, Faults } from '../faults.ts';
import { RESET_HEADER, type ResetMoment } from '../faults.ts';
import type { AccessWish, Admit } from './access/authorization.ts';
import { Form } from './form.ts';
import type { QueryOperation } from './machines/ec2-operations.ts';
import type { Body, OperationCall } from './operation.ts';
import type { Forward } from './parameters/forward.ts';
import { loseRace } from './parameters/forward.ts';
import type { Parameters } from './parameters/parameters.ts';
import { AwsRefusal } from './refusal.ts';
import { checkBody, checkForm } from './request-check.ts';
import type { Caller, Sessions } from './sessions.ts';
import type { Throttle } from './throttle.ts';
import {
  answerOf,
  denialOf,
  isJson,
  type JsonService,
  readCall,
  refusalOf,
  type Service,
  troubleOf,
  type WireCall,
} from './wire.ts';

/** Creates AWS at one address: every service in use, each with its own protocol. */
export function createFront(world: FrontWorld): Hono {
  const app = new Hono();
  app.post('/', async (context) => {
    const call = readCall(context.req.raw, await context.req.text());
    try {
      if (context.req.header('authorization') === undefined && call.service !== 'sts')
        throw troubleOf(call, 'unsigned');
      return await answer(world, call);
    } catch (error) {
      if (error instanceof AwsRefusal) return refusalOf(call, error);
      if (!(error instanceof SyntaxError)) throw error;
      return refusalOf(call, new AwsRefusal('SerializationException', 'The request is not JSON.'));
    }
  });
  return app;
}

export interface FrontWorld {
  readonly json: Readonly<Record<string, (call: OperationCall) => Body>>;
  readonly query: Readonly<
    Record<Exclude<Service, JsonService>, Readonly<Record<string, QueryOperation>>>
  >;
  readonly parameters: Parameters;
  readonly faults: Faults;
  readonly access: AccessControl;
  readonly sessions: Sessions;
  /** Chooses how far a read is behind. */
  chooseLagMs(): number;
  readonly reads: Throttle;
  readonly writes: Throttle;
  /** Emulator that provides Parameter Store. Absent: the sandbox does. */
  readonly forward: Forward | undefined;
}

export interface AccessControl {
  wishes(call: WireCall): readonly AccessWish[];
  readonly admit: Admit;
}

async function answer(world: FrontWorld, call: WireCall): Promise<Response> {
  const { operation } = call;
  const effect = world.faults.pick({
    service: 'ssm',
    method: 'POST',
    path: '/',
    operation,
    parameters: call.text,
  })?.effect;
  if (effect?.kind === 'latency') await sleep(effect.ms);
  if (effect?.kind === 'status') return failWith(call, effect);
  if (effect?.kind === 'reset_before') return reset('before');
  const caller = callerOf(world, call);
  authorize(world, call);
  admit(world, call);
  const staleMs = effect?.kind === 'stale' ? effect.ms : world.chooseLagMs();
  const response = isJson(call)
    ? await performJson(world, call, { effect, staleMs })
    : performQuery(world, call, caller);
  return effect?.kind === 'reset_after' ? reset('after') : response;
}

async function performJson(
  world: FrontWorld,
  call: WireCall,
  { effect, staleMs }: { effect: FaultEffect | undefined; staleMs: number },
): Promise<Response> {
  const { operation, text, request } = call;
  const body = JSON.parse(text === '' ? '{}' : text) as Body;
  if (effect?.kind === 'lose_race' && operation === 'PutParameter')
    loseRace(world.parameters, body);
  if (world.forward?.takes(operation)) return world.forward.send(request, text);
  const operate = Object.hasOwn(world.json, operation) ? world.json[operation] : undefined;
  if (operate === undefined) throw troubleOf(call, 'unknown');
  checkBody(operation, body);
  const answered = operate({ body, staleMs });
  if (effect?.kind === 'late_removal' && operation === 'PutParameter')
    world.parameters.remove(String(body['Name']));
  return answerOf(call, answered);
}

function performQuery(world: FrontWorld, call: WireCall, caller: Caller): Response {
  const operate = find(world, call);
  const form = new Form(call.text);
  checkForm(call.operation, form);
  return answerOf(call, operate(form, caller));
}

function find({ query }: FrontWorld, call: WireCall): QueryOperation {
  const { service, operation } = call;
  const operations = query[service as keyof typeof query];
  const operate = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (operate === undefined) throw troubleOf(call, 'unknown');
  return operate;
}

/**
 * Returns the caller. A session's key is valid until the session expires. A call that assumes a
 * role has no signature.
 */
function callerOf({ sessions }: FrontWorld, call: WireCall): Caller {
  const { headers } = call.request;
  const key = /Credential=([^/]+)\//.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  const caller = sessions.callerOf(key, headers.get('x-amz-security-token') ?? '');
  if (caller === 'expired') throw troubleOf(call, 'expired');
  if (caller === 'unknown') throw troubleOf(call, 'stranger');
  return caller;
}

function authorize({ access }: FrontWorld, call: WireCall): void {
  for (const wish of access.wishes(call))
    if (access.admit(wish) === false) throw denialOf(call, wish);
}

function admit(world: FrontWorld, call: WireCall): void {
  const { operation } = call;
  const reads = [
    'GetParameter',
    'GetParameters',
    'GetParametersByPath',
    // AWS does not document the limit of this operation; this is an assumption.
    'GetParameterHistory',
  ];
  const throttle = reads.includes(operation) ? world.reads : world.writes;
  const isLimited = reads.includes(operation) || operation === 'PutParameter';
  if (isLimited && !throttle.admits()) throw troubleOf(call, 'throttled');
}

/** Translates the status of a fault into an AWS error, because its protocols have no 429. */
function failWith(call: WireCall, effect: Extract<FaultEffect, { kind: 'status' }>): Response {
  const { status, body, retryAfterSeconds } = effect;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (body !== undefined) {
    const type = { 'content-type': 'application/x-amz-json-1.1' };
    return new Response(body, { status, headers: { ...type, ...headers } });
  }
  if (status === 429) return refusalOf(call, troubleOf(call, 'throttled'), headers);
  if (status === 403) return refusalOf(call, troubleOf(call, 'denied'), headers);
  if (status === 401) return refusalOf(call, troubleOf(call, 'expired'), headers);
  return refusalOf(call, troubleOf(call, 'internal', status), headers);
}

function reset(moment: ResetMoment): Response {
  return new Response(null, { status: 500, headers: { [RESET_HEADER]: moment } });
}
