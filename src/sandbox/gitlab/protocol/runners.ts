import { Hono } from 'hono';
import { moment } from '../entities/moment.ts';
import type { Instance } from '../instance.ts';
import { badParameter, notFound, Refusal } from '../refusal.ts';
import { removeRunner } from '../removal.ts';
import { digestOf, newToken } from '../secrets.ts';
import { authenticateRunner, findManager, heartbeat } from './runner-token.ts';

/** What a runner does with its own token, besides taking jobs. */
export function runnerSelfRoutes(instance: Instance): Hono {
  const app = new Hono();

  // Registration tokens are off, as on every new GitLab.
  app.post('/runners', () => {
    throw new Refusal(410, { message: '410 Gone' });
  });

  app.post('/runners/verify', async (c) => {
    const { runner, secret, systemId, parameters } = await authenticateRunner(c, instance);
    if (systemId !== undefined) {
      heartbeat(instance, runner, { systemId, info: parameters.object('info') });
    }
    return c.json({ id: runner.id, token: secret, token_expires_at: moment(null) }, 200);
  });

  app.delete('/runners', async (c) => {
    const { runner } = await authenticateRunner(c, instance);
    removeRunner(instance, runner);
    return c.body(null, 204);
  });

  app.delete('/runners/managers', async (c) => {
    const { runner, systemId } = await authenticateRunner(c, instance);
    if (systemId === undefined) throw badParameter('system_id is missing');
    const manager = findManager(instance, runner, systemId);
    if (manager === undefined) throw notFound('Runner Manager');
    instance.state.managers = instance.state.managers.filter((row) => row !== manager);
    instance.changed();
    return c.body(null, 204);
  });

  app.post('/runners/reset_authentication_token', async (c) => {
    const { runner } = await authenticateRunner(c, instance);
    const token = newToken(instance.random, 'glrt-');
    runner.tokenDigest = digestOf(token);
    instance.changed();
    return c.json({ token, token_expires_at: null }, 201);
  });

  app.get('/runners/router/discovery', () => {
    throw new Refusal(501, { message: '501 Not Implemented' });
  });

  return app;
}
