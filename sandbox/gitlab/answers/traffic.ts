import type { MiddlewareHandler } from 'hono';
import { serviceOf } from '../control/fault-injection.ts';

/** Calls of the REST API per second of the clock, without the runners' own calls. */
export interface Traffic {
  readonly calls: number;
  /** Number of 429 responses to any caller. */
  readonly refused: number;
  /** Maximum number of calls in any 60 consecutive seconds. */
  readonly mostAMinute: number;
}

export function countTraffic(now: () => number) {
  const seconds = new Map<number, number>();
  let refused = 0;
  const count: MiddlewareHandler = async (c, next) => {
    if (serviceOf(c.req.method, c.req.path) === 'gitlab') {
      const second = Math.floor(now() / 1000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    await next();
    if (c.res.status === 429) refused += 1;
  };
  return {
    count,
    read(): Traffic {
      const calls = [...seconds.values()].reduce((sum, one) => sum + one, 0);
      return { calls, refused, mostAMinute: mostAMinute(seconds) };
    },
  };
}

function mostAMinute(seconds: ReadonlyMap<number, number>): number {
  const inMinuteFrom = (from: number) =>
    [...seconds].reduce(
      (sum, [at, calls]) => (at >= from && at < from + 60 ? sum + calls : sum),
      0,
    );
  return Math.max(0, ...[...seconds.keys()].map(inMinuteFrom));
}
