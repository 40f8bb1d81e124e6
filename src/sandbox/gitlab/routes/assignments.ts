import { Hono } from 'hono';
import {
  levelInProject,
  MAINTAINER,
  mayAdministerRunner,
  readProject,
  requireLevel,
} from '../access.ts';
import { authenticateWriter } from '../authentication.ts';
import { runnerBasic } from '../entities/runner.ts';
import type { Instance } from '../instance.ts';
import { readParameters } from '../parameters.ts';
import { badParameter, forbidden, notFound } from '../refusal.ts';
import { bumpQueue } from '../transitions.ts';
import { readRunner } from './runner-lookup.ts';

/** Which projects a project's runner serves. */
export function assignmentRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/projects/:id/runners', async (c) => {
    const { user } = authenticateWriter(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    requireLevel(levelInProject(instance, user, project), MAINTAINER);
    const runnerId = (await readParameters(c)).integer('runner_id');
    if (runnerId === undefined) throw badParameter('runner_id is missing');
    const runner = instance.state.runners.find((row) => row.id === runnerId);
    if (runner === undefined) throw notFound('Runner');
    if (runner.type !== 'project_type') throw forbidden('Runner is not a project runner');
    if (runner.locked) throw forbidden('Runner is locked');
    if (!mayAdministerRunner(instance, user, runner)) throw forbidden('No access granted');
    if (runner.projectIds.includes(project.id)) throw forbidden('Runner is already assigned');
    runner.projectIds.push(project.id);
    bumpQueue(instance);
    instance.changed();
    return c.json(runnerBasic(instance, runner), 201);
  });

  app.delete('/projects/:id/runners/:runnerId{[0-9]+}', (c) => {
    const { user } = authenticateWriter(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    requireLevel(levelInProject(instance, user, project), MAINTAINER);
    const runner = readRunner(c, instance, 'runnerId');
    if (!runner.projectIds.includes(project.id)) throw notFound('Runner');
    if (runner.projectIds[0] === project.id) {
      throw forbidden(
        'You cannot unassign a runner from the owner project. Delete the runner instead',
      );
    }
    runner.projectIds = runner.projectIds.filter((id) => id !== project.id);
    instance.changed();
    return c.body(null, 204);
  });

  return app;
}
