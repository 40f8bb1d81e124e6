import type { MiddlewareHandler } from 'hono';
import { serviceOf } from '../control/fault-injection.ts';

/** What was asked of the REST API, for each second of the clock; the runners' own calls are not in it. */
export interface Traffic {
  readonly calls: number;
  /** Answers with 429, to anybody. */
  readonly refused: number;
  /** The most calls in any 60 seconds in a row. */
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
