import { type Context, Hono } from 'hono';
import {
  levelInGroup,
  levelInProject,
  MAINTAINER,
  mayReadRunner,
  mayUpdateRunner,
  OWNER,
  readGroup,
  readProject,
  requireLevel,
} from '../answers/access.ts';
import { authenticate, authenticateRunnerAdmin } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { readQuery } from '../answers/parameters.ts';
import { forbidden } from '../answers/refusal.ts';
import { projectBasic } from '../entities/project.ts';
import { managerEntity, runnerBasic, runnerDetails } from '../entities/runner.ts';
import type { Instance } from '../instance.ts';
import type { Runner, User } from '../state.ts';
import { filterRunners, readRunner } from './runner-lookup.ts';

/** Creates the routes that read runners. */
export function runnerRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.get('/runners', (c) => {
    const { user } = authenticate(c, instance);
    const own = instance.state.runners.filter((row) => mayUpdateRunner(instance, user, row));
    return answerRunners(c, instance, own);
  });

  app.get('/runners/all', (c) => {
    const { user } = authenticate(c, instance);
    if (!user.admin) throw forbidden();
    return answerRunners(c, instance, instance.state.runners);
  });

  app.get('/runners/:id{[0-9]+}', (c) => {
    const { runner, user } = readOwnRunner(c, instance);
    const mayLeaveOut = instance.features.runnerWithoutProjects;
    const includeProjects = !mayLeaveOut || readQuery(c).flag('include_projects') !== false;
    return c.json(runnerDetails(instance, runner, { reader: user, includeProjects }));
  });

  // This list has no pages and no guaranteed order.
  app.get('/runners/:id{[0-9]+}/managers', (c) => {
    const { runner } = readOwnRunner(c, instance);
    const managers = instance.state.managers
      .filter((row) => row.runnerId === runner.id)
      .sort((one, other) => other.id - one.id);
    return c.json(managers.map((manager) => managerEntity(instance, manager)));
  });

  if (instance.features.projectsOfRunner) listProjects(app, instance);

  app.get('/projects/:id/runners', (c) => {
    const { user } = authenticate(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    requireLevel(levelInProject(instance, user, project), MAINTAINER);
    const available = instance.state.runners.filter(
      (row) =>
        row.type === 'instance_type' ||
        row.groupId === project.groupId ||
        row.projectIds.includes(project.id),
    );
    return answerRunners(c, instance, available);
  });

  app.get('/groups/:id/runners', (c) => {
    const { user } = authenticate(c, instance);
    const group = readGroup(instance, user, c.req.param('id'));
    const needed = instance.features.groupRunnersForOwners ? OWNER : MAINTAINER;
    requireLevel(levelInGroup(instance, user, group.id), needed);
    const available = instance.state.runners.filter(
      (row) => row.type === 'instance_type' || row.groupId === group.id,
    );
    return answerRunners(c, instance, available);
  });

  return app;
}

function listProjects(app: Hono, instance: Instance): void {
  app.get('/runners/:id{[0-9]+}/projects', (c) => {
    const { runner, user } = readOwnRunner(c, instance);
    const projects = instance.state.projects.filter(
      (project) =>
        runner.projectIds.includes(project.id) && levelInProject(instance, user, project) > 0,
    );
    return answerPage(c, {
      items: projects,
      present: (project) => projectBasic(instance, project),
      baseUrl: instance.baseUrl(),
    });
  });
}

function answerRunners(c: Context, instance: Instance, runners: readonly Runner[]): Response {
  return answerPage(c, {
    items: filterRunners(c, instance, runners),
    present: (runner) => runnerBasic(instance, runner),
    baseUrl: instance.baseUrl(),
  });
}

/** Returns the runner of the path, if the user may read it. */
function readOwnRunner(c: Context, instance: Instance): { runner: Runner; user: User } {
  const { user } = authenticateRunnerAdmin(c, instance);
  const runner = readRunner(c, instance);
  if (!mayReadRunner(instance, user, runner)) throw forbidden('No access granted');
  return { runner, user };
}
