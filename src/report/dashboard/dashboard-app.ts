import { type Context, Hono } from 'hono';
import { isLoopback } from '../../domain/loopback.ts';
import type { DashboardFacts } from './dashboard-facts.ts';
import { contentPolicy, renderDashboard, renderMain } from './page.ts';

export interface DashboardSettings {
  /** As it is known now, and fit to be shown; nobody who asks makes a look. */
  readonly read: () => DashboardFacts;
  readonly everyMs: number;
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': contentPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** `/` is the page and `/stacks` its main part. It only reads, and only this machine is answered. */
export function createDashboard({ read, everyMs }: DashboardSettings): Hono {
  const app = new Hono();
  const reloadSeconds = Math.max(1, Math.ceil(everyMs / 1000));
  app.use(async (context, next) => {
    const refusal = refuse(context);
    if (refusal === undefined) await next();
    return refusal;
  });
  app.get('/', (context) =>
    context.html(renderDashboard(read(), { kind: 'served', reloadSeconds }), 200, headers),
  );
  app.get('/stacks', (context) => context.html(renderMain(read()), 200, headers));
  app.notFound((context) => context.text('There is / and /stacks.\n', 404, headers));
  return app;
}

function refuse(context: Context): Response | undefined {
  const { method } = context.req;
  // A page of somebody else's, whose name leads to this machine, would read what stands here.
  if (!isOwnHost(context.req.header('host')))
    return context.text('Only http://127.0.0.1 and http://localhost are answered.\n', 421, headers);
  if (method === 'GET' || method === 'HEAD') return undefined;
  const allow = { ...headers, allow: 'GET, HEAD' };
  return context.text('It can only be read.\n', 405, allow);
}

function isOwnHost(host: string | undefined): boolean {
  if (host === undefined || !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host))
    return false;
  return isLoopback(host.replace(/:\d{1,5}$/, '').toLowerCase());
}
