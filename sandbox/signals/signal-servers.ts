import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { QueryAnswer, Signals } from './signals.ts';

/** Paths of the servers, below the sandbox's address. */
export const prometheusPath = '/prometheus';
export const webhookPath = '/webhook';

export function isOfSignals(path: string): boolean {
  return [prometheusPath, webhookPath].some((one) => path === one || path.startsWith(`${one}/`));
}

type Environment = { Bindings: HttpBindings };

/** Creates a Prometheus with one kind of query, and the user's webhook. */
export function createSignalServers(signals: Signals, now: () => number): Hono<Environment> {
  const app = new Hono<Environment>();
  // https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries
  app.on(['GET', 'POST'], `${prometheusPath}/api/v1/query`, async (context) => {
    const form = context.req.method === 'POST' ? await context.req.parseBody() : {};
    const query = context.req.query('query') ?? String(form['query'] ?? '');
    if (query.trim() === '') return refuse(400, 'bad_data', emptyQuery);
    const answer = signals.answerOf(query);
    if (answer.kind === 'silent') return neverRespond(context.req.raw.signal);
    if (answer.kind === 'malformed') return context.html(signInPage);
    if (answer.kind === 'refused')
      return refuse(
        422,
        'execution',
        'query processing would load too many samples into memory in query execution',
      );
    return context.json(vectorOf(answer, now()));
  });
  app.post(webhookPath, async (context) => {
    const text = await context.req.text();
    signals.noteQuestion(parse(text));
    const answer = signals.webhook();
    if (answer.kind === 'silent') return neverRespond(context.req.raw.signal);
    if (answer.kind === 'malformed') {
      context.env.incoming.socket.end('this is not HTTP\r\n\r\n');
      return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
    }
    const { status, body } = answer;
    return new Response(mayHaveBody(status) ? body : null, { status });
  });
  app.notFound(() => new Response('404 page not found\n', { status: 404 }));
  return app;
}

/** Message of the versions that were read. All versions have it (an assumption). */
const emptyQuery =
  'invalid parameter "query": unknown position: parse error: no expression found in input';

/** Page of a proxy in front of Prometheus, returned with status 200. */
const signInPage = '<!DOCTYPE html><title>Sign in</title>';

function refuse(status: number, errorType: string, error: string): Response {
  return Response.json({ status: 'error', errorType, error }, { status });
}

function vectorOf(answer: Extract<QueryAnswer, { kind: 'series' }>, nowMs: number): object {
  return {
    status: 'success',
    ...(answer.incomplete ? { warnings: ['a store could not be reached'] } : {}),
    data: {
      resultType: 'vector',
      result: answer.series.map(({ metric, value }) => ({ metric, value: [nowMs / 1000, value] })),
    },
  };
}

/** Never responds. Resolves when the caller closes the connection. */
function neverRespond(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const end = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}

function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
