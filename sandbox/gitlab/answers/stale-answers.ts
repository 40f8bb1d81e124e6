import type { Context } from 'hono';
import { digestOf } from '../secrets.ts';

interface Answer {
  at: number;
  body: string;
  headers: [string, string][];
}

const KEPT_FOR_MS = 60_000;
const KEPT_EVERY_MS = 100;
const KEYS_MAX = 400;

/** Keeps recent responses to return them again later, like a replica that lags. */
export function createStaleAnswers(now: () => number) {
  const history = new Map<string, Answer[]>();

  return {
    /**
     * Finds the response from `ms` ago, or the oldest one since. A much older one exceeds a
     * replica's lag.
     */
    find(c: Context, ms: number): Response | undefined {
      const wanted = now() - ms;
      const answers = (history.get(keyOf(c)) ?? []).filter(({ at }) => at >= wanted - ms);
      const answer = answers.findLast((candidate) => candidate.at <= wanted) ?? answers[0];
      return answer && new Response(answer.body, { status: 200, headers: answer.headers });
    },

    async keep(c: Context): Promise<void> {
      if (c.res.status !== 200) return;
      const key = keyOf(c);
      const at = now();
      const answers = (history.get(key) ?? []).filter((answer) => at - answer.at < KEPT_FOR_MS);
      if (at - (answers.at(-1)?.at ?? 0) < KEPT_EVERY_MS) return;
      answers.push({ at, body: await c.res.clone().text(), headers: [...c.res.headers] });
      history.delete(key);
      history.set(key, answers);
      const [oldest] = history.keys();
      if (history.size > KEYS_MAX && oldest !== undefined) history.delete(oldest);
    },
  };
}

function keyOf(c: Context): string {
  const secret = c.req.header('private-token') ?? c.req.header('authorization') ?? '';
  return `${digestOf(secret)} ${c.req.url}`;
}
