import { Hono } from 'hono';
import { notFound } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { authenticateJob } from './job-token.ts';

/**
 * Creates the routes for artifacts, which are accepted and dropped: nothing in the sandbox reads
 * them.
 */
export function artifactRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/jobs/:id{[0-9]+}/artifacts/authorize', (c) => {
    authenticateJob(c, instance, c.req.query('token'));
    return c.json({}, 200);
  });

  app.post('/jobs/:id{[0-9]+}/artifacts', async (c) => {
    authenticateJob(c, instance, c.req.query('token'));
    await c.req.arrayBuffer();
    return c.body('201', 201, { 'content-type': 'application/json' });
  });

  app.get('/jobs/:id{[0-9]+}/artifacts', (c) => {
    authenticateJob(c, instance, c.req.query('token'));
    throw notFound();
  });

  return app;
}
