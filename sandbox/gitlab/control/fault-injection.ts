import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import {
  type FaultEffect,
  type FaultService,
  type Faults,
  RESET_HEADER,
  type ResetMoment,
} from '../../faults.ts';
import { createStaleAnswers } from '../answers/stale-answers.ts';
import type { Features } from '../answers/versions.ts';

/**
 * Paths that runners call; the others belong to the REST API. `:id` alone is a runner's path only
 * for `PUT`.
 */
const RUNNER_PATHS =
  /^\/api\/v4\/(jobs\/|runners\/(verify|managers|reset_authentication_token|router\/)|runners$)/;

/**
 * Injects faults before every route. A response with `RESET_HEADER` is for the server, not for the
 * caller.
 */
export function injectFaults(
  faults: Faults,
  now: () => number,
  { readOnlyOrganizations }: Features,
): MiddlewareHandler {
  const stale = createStaleAnswers(now);
  return async (c, next) => {
    const { method, path } = c.req;
    const service = serviceOf(method, path);
    const search = new URL(c.req.url).search;
    const effect = faults.pick({ service, method, path, parameters: search })?.effect;
    if (effect?.kind === 'latency') await delay(effect.ms);
    if (effect?.kind === 'reset_before') return reset('before');
    if (effect?.kind === 'status') return statusAnswer(effect, { now: now(), service });
    if (effect?.kind === 'maintenance') return maintenanceAnswer();
    if (effect?.kind === 'migrations') return migrationsAnswer();
    if (effect?.kind === 'read_only' && readOnlyOrganizations) {
      return readOnlyAnswer(effect.bounded);
    }
    if (effect?.kind === 'stale' && method === 'GET') {
      const old = stale.find(c, effect.ms);
      if (old !== undefined) return old;
    }
    await next();
    if (effect?.kind === 'reset_after') c.res = reset('after');
    else if (method === 'GET') await stale.keep(c);
    return undefined;
  };
}

export function serviceOf(method: string, path: string): FaultService {
  if (path === '/api/v4/runners' && method === 'GET') return 'gitlab';
  return RUNNER_PATHS.test(path) ? 'runner' : 'gitlab';
}

function reset(moment: ResetMoment): Response {
  return new Response(null, { status: 503, headers: { [RESET_HEADER]: moment } });
}

/**
 * Creates a response with a status. There are two kinds of 429. The proxy returns text with
 * `RateLimit-*` and `Retry-After`. The application returns JSON, in older versions without any
 * header.
 */
function statusAnswer(
  effect: Extract<FaultEffect, { kind: 'status' }>,
  { now, service }: { now: number; service: FaultService },
): Response {
  const { status, retryAfterSeconds, body } = effect;
  const retryAfter =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (body !== undefined) {
    const type = /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain';
    return new Response(body, { status, headers: { 'content-type': type, ...retryAfter } });
  }
  if (status === 429 && retryAfterSeconds !== undefined) {
    const resetAt = now + retryAfterSeconds * 1000;
    return new Response('Retry later\n', {
      status,
      headers: {
        'content-type': 'text/plain',
        'ratelimit-name': 'throttle_authenticated_api',
        'ratelimit-limit': '7200',
        'ratelimit-observed': '7201',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(Math.ceil(resetAt / 1000)),
        'ratelimit-resettime': new Date(resetAt).toUTCString(),
        ...retryAfter,
      },
    });
  }
  const isLocked = status === 409 && service === 'gitlab';
  const text = isLocked ? '409 Conflict: Resource lock' : (WORDS[status] ?? `${status}`);
  const message =
    status === 429
      ? { error: 'This endpoint has been requested too many times. Try again later.' }
      : text;
  return new Response(JSON.stringify({ message }), {
    status,
    headers: { 'content-type': 'application/json', ...retryAfter },
  });
}

function maintenanceAnswer(): Response {
  const message = 'You cannot perform write operations on a read-only instance';
  return Response.json({ message }, { status: 403 });
}

function migrationsAnswer(): Response {
  const message = 'Executing database migrations. Please retry later.';
  return Response.json({ message }, { status: 429, headers: { 'retry-after': '60' } });
}

function readOnlyAnswer(isBounded: boolean): Response {
  const sentence = 'This organization is currently in read-only mode. Write operations are';
  return isBounded
    ? Response.json(
        { message: `${sentence} temporarily disabled.` },
        { status: 503, headers: { 'retry-after': '60' } },
      )
    : Response.json({ message: `403 Forbidden - ${sentence} disabled.` }, { status: 403 });
}

const WORDS: Record<number, string> = {
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not found',
  409: '409 Conflict',
  500: '500 Internal Server Error',
  502: '502 Bad Gateway',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
};
