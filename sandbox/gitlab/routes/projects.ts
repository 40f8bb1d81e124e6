import { Hono } from 'hono';
import { readGroup, readProject } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { groupDetails, projectDetails } from '../entities/project.ts';
import type { Instance } from '../instance.ts';

export function projectRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.get('/projects/:id', (c) => {
    const { user } = authenticate(c, instance);
    return c.json(projectDetails(instance, readProject(instance, user, c.req.param('id'))));
  });

  app.get('/groups/:id', (c) => {
    const { user } = authenticate(c, instance);
    return c.json(groupDetails(instance, readGroup(instance, user, c.req.param('id'))));
  });

  return app;
}
