import { Hono } from 'hono';
import {
  levelInProject,
  MAINTAINER,
  mayUpdateRunner,
  readProject,
  requireLevel,
} from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { readParameters } from '../answers/parameters.ts';
import {
  badParameter,
  brokenInside,
  forbidden,
  invalid,
  noSuchRunner,
  notFound,
  Refusal,
} from '../answers/refusal.ts';
import { limitProblem } from '../answers/runner-limit.ts';
import { runnerBasic } from '../entities/runner.ts';
import type { Instance } from '../instance.ts';
import type { Project, Runner, User } from '../state.ts';

/** Creates the routes for the projects of a project runner. */
export function assignmentRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/projects/:id/runners', async (c) => {
    const { user } = authenticate(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    requireLevel(levelInProject(instance, user, project), MAINTAINER);
    const runnerId = (await readParameters(c)).integer('runner_id');
    if (runnerId === undefined) throw badParameter('runner_id is missing');
    const runner = instance.state.runners.find((row) => row.id === runnerId);
    if (runner === undefined) throw noSuchRunner(instance.features);
    refuseStranger(instance, { user, runner });
    refuseAssignment(instance, { runner, project });
    runner.projectIds.push(project.id);
    instance.changed();
    return c.json(runnerBasic(instance, runner), 201);
  });

  app.delete('/projects/:id/runners/:runnerId{[0-9]+}', (c) => {
    const { user } = authenticate(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    requireLevel(levelInProject(instance, user, project), MAINTAINER);
    const runner = instance.state.runners.find(
      (row) => String(row.id) === c.req.param('runnerId') && row.projectIds.includes(project.id),
    );
    if (runner === undefined) throw notFound('Runner');
    const { lockedRunnersStay } = instance.features;
    if (lockedRunnersStay && runner.locked && !user.admin) throw forbidden('Runner is locked');
    refuseUnassignment(instance, { runner, project });
    runner.projectIds = runner.projectIds.filter((id) => id !== project.id);
    instance.changed();
    return c.body(null, 204);
  });

  return app;
}

function refuseStranger(
  instance: Instance,
  { user, runner }: { user: User; runner: Runner },
): void {
  if (runner.type === 'group_type') throw forbidden('Runner is a group runner');
  if (user.admin) {
    // GitLab does not check the type of an instance runner before its model, which raises an error.
    if (runner.type === 'instance_type') throw brokenInside();
    return;
  }
  if (runner.locked) throw forbidden('Runner is locked');
  if (!mayUpdateRunner(instance, user, runner)) throw forbidden('No access granted');
}

function refuseAssignment(
  instance: Instance,
  { runner, project }: { runner: Runner; project: Project },
): void {
  const { orphansKeepTheirToken, assignmentRefusedInOneSentence } = instance.features;
  // The text after the colon is an assumption.
  const problem = runner.projectIds.includes(project.id)
    ? 'Runner has already been taken'
    : limitProblem(instance, { ...runner, projectIds: [project.id] });
  if (problem !== undefined) {
    const reason = `Validation failed: ${problem}`;
    if (!assignmentRefusedInOneSentence) throw invalid({ assign_to: [reason] });
    throw runnerError(`Assign to ${reason}`);
  }
  if (runner.projectIds.length === 0 && orphansKeepTheirToken) {
    throw runnerError('Assign to Taking over an orphaned project runner is not allowed');
  }
}

function runnerError(sentence: string): Refusal {
  return new Refusal(400, { message: `${sentence} - runner_error` });
}

function refuseUnassignment(
  { features }: Instance,
  { runner, project }: { runner: Runner; project: Project },
): void {
  if (features.ownerProject) {
    if (runner.projectIds[0] !== project.id) return;
    throw forbidden(
      'You cannot unassign a runner from the owner project. Delete the runner instead',
    );
  }
  if (runner.projectIds.length > 1) return;
  throw forbidden('Only one project associated with the runner. Please remove the runner instead');
}
