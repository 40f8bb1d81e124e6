import { Hono } from 'hono';
import { badParameter, forbidden, Refusal } from '../answers/refusal.ts';
import { moment } from '../entities/moment.ts';
import type { Instance } from '../instance.ts';
import { sealedToken } from '../registration.ts';
import { removeManager, removeRunner } from '../removal.ts';
import { newToken } from '../secrets.ts';
import type { Runner } from '../state.ts';
import {
  authenticateRunner,
  findManager,
  findRunner,
  heartbeat,
  refuseOrphan,
} from './runner-token.ts';

function endOf({ tokenExpiresAt = null }: Runner) {
  return moment(tokenExpiresAt);
}

/** Creates the routes for a runner's own token, except job requests. */
export function runnerSelfRoutes(instance: Instance): Hono {
  const app = new Hono();

  // Registration tokens are disabled, as on every new GitLab.
  app.post('/runners', () => {
    throw new Refusal(410, { message: '410 Gone' });
  });

  app.post('/runners/verify', async (c) => {
    const { runner, secret, systemId, parameters } = await authenticateRunner(c, instance);
    refuseOrphan(instance, runner);
    // Every version creates the record, but not every version counts it as a contact.
    const isContact = instance.features.verifyIsContact;
    heartbeat(instance, runner, { systemId, info: parameters.object('info'), isContact });
    return c.json({ id: runner.id, token: secret, token_expires_at: endOf(runner) }, 200);
  });

  app.delete('/runners', async (c) => {
    const { runner } = await authenticateRunner(c, instance);
    removeRunner(instance, runner);
    return c.body(null, 204);
  });

  app.delete('/runners/managers', async (c) => {
    const { runner, parameters } = await authenticateRunner(c, instance);
    const systemId = parameters.text('system_id');
    if (systemId === undefined) throw badParameter('system_id is missing');
    const manager = findManager(instance, runner, systemId);
    if (manager === undefined) {
      throw new Refusal(404, { message: '404 Runner manager not found Not Found' });
    }
    removeManager(instance, runner, manager);
    return c.body(null, 204);
  });

  app.post('/runners/reset_authentication_token', async (c) => {
    const { runner } = await authenticateRunner(c, instance);
    const token = newToken(instance.random, 'glrt-');
    Object.assign(runner, sealedToken(instance, token));
    instance.changed();
    return c.json({ token, token_expires_at: endOf(runner) }, 201);
  });

  if (instance.features.jobRouter) {
    app.get('/runners/router/discovery', (c) => {
      const runner = findRunner(instance, c.req.header('runner-token') ?? '');
      if (runner === undefined) throw forbidden();
      const message = 'Job Router is not available. Please contact your administrator.';
      throw new Refusal(501, { message });
    });
  }

  return app;
}
