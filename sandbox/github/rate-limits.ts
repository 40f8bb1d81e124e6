import type { MiddlewareHandler } from 'hono';

/** Both limits of GitHub for one credential. Absent: no limit. */
export interface RateLimits {
  /** Primary limit in requests per hour. */
  readonly perHour?: number;
  /** Secondary limit in points: one per read, five per write. */
  readonly pointsPerMinute?: number;
}

export interface RateLimiter {
  set(limits: RateLimits): void;
  readonly count: MiddlewareHandler;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function createRateLimiter(now: () => number): RateLimiter {
  let limits: RateLimits = {};
  let hour = { began: 0, used: 0 };
  let minute = { began: 0, points: 0 };

  function refusal(method: string): Response | undefined {
    const at = now();
    if (at - hour.began >= HOUR_MS) hour = { began: at, used: 0 };
    if (at - minute.began >= MINUTE_MS) minute = { began: at, points: 0 };
    const { perHour, pointsPerMinute } = limits;
    if (perHour !== undefined && hour.used >= perHour)
      return refused(403, 'API rate limit exceeded for user ID 1.', headersOf(perHour));
    const points = READS.includes(method) ? 1 : 5;
    if (pointsPerMinute !== undefined && minute.points + points > pointsPerMinute) {
      const seconds = Math.ceil((minute.began + MINUTE_MS - at) / 1000);
      // GitHub uses both statuses for both limits.
      return refused(429, 'You have exceeded a secondary rate limit. Please wait a few minutes.', {
        'retry-after': String(seconds),
      });
    }
    hour.used += 1;
    minute.points += points;
    return undefined;
  }

  function headersOf(perHour: number): Record<string, string> {
    return {
      'x-ratelimit-limit': String(perHour),
      'x-ratelimit-remaining': String(Math.max(0, perHour - hour.used)),
      'x-ratelimit-used': String(hour.used),
      'x-ratelimit-reset': String(Math.ceil((hour.began + HOUR_MS) / 1000)),
      'x-ratelimit-resource': 'core',
      date: new Date(now()).toUTCString(),
    };
  }

  return {
    set(given) {
      limits = given;
      hour = { began: now(), used: 0 };
      minute = { began: now(), points: 0 };
    },
    count: async (context, next) => {
      const refusedWith = refusal(context.req.method);
      if (refusedWith !== undefined) return refusedWith;
      await next();
      if (limits.perHour === undefined) return undefined;
      for (const [name, value] of Object.entries(headersOf(limits.perHour)))
        context.res.headers.set(name, value);
      return undefined;
    },
  };
}

function refused(status: 403 | 429, message: string, headers: Record<string, string>): Response {
  return new Response(JSON.stringify({ message }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
