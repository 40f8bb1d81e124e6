import { Hono } from 'hono';
import type { Controlled } from './controlled.ts';
import { faultRoutes } from './faults.ts';
import { githubRoutes } from './github.ts';
import { ControlRefusal } from './input.ts';
import { instanceRoutes } from './instances.ts';
import { signalRoutes } from './signals.ts';
import { stackRoutes } from './stacks.ts';
import { stateRoutes } from './state.ts';
import { workRoutes } from './work.ts';

/**
 * Creates the control API of the sandbox: JSON below /sandbox, described in docs/use/sandbox.md.
 */
export function createControl(world: Controlled): Hono {
  const app = new Hono().basePath('/sandbox');
  // A terminal shows the next prompt on its own line.
  app.use(async (context, next) => {
    await next();
    const { res } = context;
    if (res.body === null) return;
    context.res = undefined;
    context.res = new Response(`${await res.text()}\n`, res);
  });
  for (const routes of [
    stateRoutes,
    faultRoutes,
    workRoutes,
    githubRoutes,
    stackRoutes,
    instanceRoutes,
    signalRoutes,
  ]) {
    app.route('/', routes(world));
  }
  app.notFound((context) =>
    context.json({ error: `There is no ${context.req.method} ${context.req.path}.` }, 404),
  );
  app.onError((error, context) => {
    if (error instanceof ControlRefusal)
      return context.json({ error: error.message }, error.status);
    // GitLab's part throws a RangeError for an unknown id, scope or date.
    if (error instanceof RangeError) return context.json({ error: error.message }, 400);
    return context.json({ error: error.message }, 500);
  });
  return app;
}
