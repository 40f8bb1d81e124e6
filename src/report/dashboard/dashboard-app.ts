import { type Context, Hono } from 'hono';
import { isLoopback } from '../../domain/loopback.ts';
import type { DashboardFacts } from './dashboard-facts.ts';
import { contentPolicy, renderDashboard, renderMain } from './page.ts';

export interface DashboardSettings {
  /** Returns the current facts, ready for display, and starts no check. */
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

/**
 * Creates the dashboard: `/` is the page, `/stacks` its main part. It only reads, and responds only
 * to this machine.
 */
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
  app.notFound((context) => context.text('The paths are / and /stacks.\n', 404, headers));
  return app;
}

function refuse(context: Context): Response | undefined {
  const { method } = context.req;
  // A foreign web page whose name resolves to this machine could otherwise read the dashboard.
  if (!isOwnHost(context.req.header('host')))
    return context.text('Requests must name http://127.0.0.1 or http://localhost.\n', 421, headers);
  if (method === 'GET' || method === 'HEAD') return undefined;
  const allow = { ...headers, allow: 'GET, HEAD' };
  return context.text('The dashboard is read-only.\n', 405, allow);
}

function isOwnHost(host: string | undefined): boolean {
  if (host === undefined || !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host))
    return false;
  return isLoopback(host.replace(/:\d{1,5}$/, '').toLowerCase());
}
