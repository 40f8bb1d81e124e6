import { Hono } from 'hono';
import { authenticate } from '../answers/authentication.ts';
import { badParameter } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';

// GitLab's names of parameters that must be numbers. Projects, groups and members also have paths.
const NUMBERS: Readonly<Record<string, string>> = {
  '/runners/:id': 'id',
  '/runners/:id/managers': 'id',
  '/runners/:id/jobs': 'id',
  '/runners/:id/projects': 'id',
  '/runners/:id/reset_authentication_token': 'id',
  '/projects/:id/runners/:runner_id': 'runner_id',
  '/projects/:id/jobs/:job_id': 'job_id',
  '/projects/:id/jobs/:job_id/:action': 'job_id',
  '/projects/:id/pipelines/:pipeline_id': 'pipeline_id',
  '/projects/:id/pipelines/:pipeline_id/jobs': 'pipeline_id',
  '/projects/:id/members/all/:user_id': 'user_id',
  '/groups/:id/members/all/:user_id': 'user_id',
};

/** Creates routes that follow all others, which accept only numbers. */
export function invalidIdRoutes(instance: Instance): Hono {
  const app = new Hono();
  for (const [path, name] of Object.entries(NUMBERS)) {
    app.all(path, async (c, next) => {
      if (/^\d+$/.test(c.req.param(name as never) ?? '')) return next();
      authenticate(c, instance, { own: 'any' });
      throw badParameter(`${name} is invalid`);
    });
  }
  return app;
}
