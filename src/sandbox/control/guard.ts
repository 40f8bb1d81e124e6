import type { MiddlewareHandler } from 'hono';

/**
 * There is no control token: whoever reaches the loopback may direct the sandbox. A browser may not,
 * neither by another site's script (Origin) nor by a name that points here (Host).
 */
export const refuseStrangers: MiddlewareHandler = async (context, next) => {
  const host = (context.req.header('host') ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) {
    return context.json({ error: 'The control API answers to a loopback address only.' }, 403);
  }
  if (context.req.header('origin') !== undefined) {
    return context.json({ error: 'The control API does not answer to browsers.' }, 403);
  }
  return next();
};
