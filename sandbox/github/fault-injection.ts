import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { type FaultEffect, type Faults, RESET_HEADER, type ResetMoment } from '../faults.ts';

/** Injects faults. A response with `RESET_HEADER` is for the server, not for the caller. */
export function injectFaults(faults: Faults, now: () => number): MiddlewareHandler {
  return async (context, next) => {
    const { method, path } = context.req;
    const effect = faults.pick({ service: 'github', method, path })?.effect;
    if (effect?.kind === 'latency') await delay(effect.ms);
    if (effect?.kind === 'reset_before') return reset('before');
    if (effect?.kind === 'status') return statusAnswer(effect, now());
    await next();
    if (effect?.kind === 'reset_after') context.res = reset('after');
    return undefined;
  };
}

function reset(moment: ResetMoment): Response {
  return new Response(null, { status: 503, headers: { [RESET_HEADER]: moment } });
}

/**
 * Creates a response. A 403 with a wait time is a rate limit:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function statusAnswer(effect: Extract<FaultEffect, { kind: 'status' }>, now: number): Response {
  const { status, retryAfterSeconds, body } = effect;
  const limits =
    retryAfterSeconds === undefined
      ? {}
      : {
          'retry-after': String(retryAfterSeconds),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Math.ceil(now / 1000) + retryAfterSeconds),
        };
  return new Response(body ?? JSON.stringify({ message: `fault ${status}` }), {
    status,
    headers: { 'content-type': 'application/json', ...limits },
  });
}
