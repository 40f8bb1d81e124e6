import { type Context, Hono } from 'hono';
import {
  levelInGroup,
  levelInProject,
  MAINTAINER,
  mayUpdateRunner,
  OWNER,
} from '../answers/access.ts';
import { authenticate, authenticateRunnerAdmin } from '../answers/authentication.ts';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import { badParameter, badRequest, forbidden, invalid, Refusal } from '../answers/refusal.ts';
import { limitProblem } from '../answers/runner-limit.ts';
import { moment } from '../entities/moment.ts';
import { runnerDetails } from '../entities/runner.ts';
import type { Instance } from '../instance.ts';
import { tickQueue } from '../jobs/queue.ts';
import { draftRunner, isOrphan, problemsOf, readSettings, sealedToken } from '../registration.ts';
import { removeRunner } from '../removal.ts';
import { newToken } from '../secrets.ts';
import type { Runner, RunnerType, User } from '../state.ts';
import { readRunner } from './runner-lookup.ts';

const TYPES = ['instance_type', 'group_type', 'project_type'] as const;
const CHANGEABLE =
  'description, active, paused, tag_list, run_untagged, locked, access_level, maximum_timeout, maintenance_note';

/** Creates the routes that create, change and remove runners. */
export function registrationRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/user/runners', async (c) => {
    const { user } = authenticate(c, instance, { own: ['create_runner'] });
    const parameters = await readParameters(c);
    const owner = readOwner(instance, { user, parameters });
    const settings = readSettings(parameters);
    const { runner, token } = draftRunner(instance, { ...owner, userId: user.id, settings });
    const [problem] = Object.entries(problemsOf(runner));
    if (problem !== undefined) throw badRequest(`${humanize(problem[0])} ${problem[1].join(', ')}`);
    refuseBeyondLimit(instance, runner);
    runner.id = instance.nextId('runner');
    instance.state.runners.push(runner);
    instance.changed();
    return c.json({ id: runner.id, token, token_expires_at: endOf(runner) }, 201);
  });

  app.put('/runners/:id{[0-9]+}', async (c) => {
    const { user } = authenticateRunnerAdmin(c, instance);
    const parameters = await readParameters(c);
    // GitLab validates the values before it finds the runner.
    if (!CHANGEABLE.split(', ').some((name) => parameters.has(name))) {
      throw badParameter(`${CHANGEABLE} are missing, at least one parameter must be provided`);
    }
    const settings = readSettings(parameters);
    const runner = readRunner(c, instance);
    if (!mayUpdateRunner(instance, user, runner)) throw forbidden('No access granted');
    const problems = problemsOf({ ...runner, ...settings });
    if (Object.keys(problems).length > 0) throw invalid(problems);
    Object.assign(runner, settings);
    runner.updatedAt = instance.now();
    tickQueue(instance, runner);
    return c.json(runnerDetails(instance, runner, { reader: user }));
  });

  app.delete('/runners/:id{[0-9]+}', (c) => {
    const { user } = authenticateRunnerAdmin(c, instance);
    const runner = readRunner(c, instance);
    if (runner.projectIds.length > 1 && !user.admin) {
      throw forbidden('Runner associated with more than one project');
    }
    if (!mayUpdateRunner(instance, user, runner)) throw forbidden('No access granted');
    refuseChanged(c, runner);
    removeRunner(instance, runner);
    return c.body(null, 204);
  });

  app.post('/runners/:id{[0-9]+}/reset_authentication_token', (c) => {
    const { user } = authenticateRunnerAdmin(c, instance);
    const runner = readRunner(c, instance);
    if (!mayUpdateRunner(instance, user, runner)) throw forbidden('No access granted');
    if (instance.features.orphansKeepTheirToken && isOrphan(runner)) {
      // The rest of the message is an assumption.
      const error = 'Runner needs to be assigned to at least one project';
      throw new Refusal(422, { error });
    }
    const token = newToken(instance.random, 'glrt-');
    Object.assign(runner, sealedToken(instance, token));
    instance.changed();
    return c.json({ token, token_expires_at: endOf(runner) }, 201);
  });

  return app;
}

function refuseBeyondLimit(instance: Instance, runner: Runner): void {
  const problem = limitProblem(instance, runner);
  if (problem === undefined) return;
  const field = runner.type === 'group_type' ? 'namespaces' : 'projects';
  throw badRequest(`Runner ${field} base ${problem}`);
}

function endOf({ tokenExpiresAt = null }: Runner) {
  return moment(tokenExpiresAt);
}

// Reads the owner. The published description requires both ids, but each type needs only its own.
function readOwner(
  instance: Instance,
  { user, parameters }: { user: User; parameters: Parameters },
): { type: RunnerType; groupId: number | null; projectId: number | null } {
  parameters.requiredText('runner_type');
  const type = parameters.choice('runner_type', TYPES) ?? 'instance_type';
  const refusal = forbidden('Insufficient permissions');
  if (type === 'instance_type') {
    if (!user.admin) throw refusal;
    return { type, groupId: null, projectId: null };
  }
  if (type === 'group_type') {
    parameters.requiredText('group_id');
    const groupId = parameters.integer('group_id') ?? 0;
    if (!instance.state.groups.some(({ id }) => id === groupId)) {
      throw badRequest('Missing/invalid group');
    }
    if (levelInGroup(instance, user, groupId) < OWNER) throw refusal;
    return { type, groupId, projectId: null };
  }
  parameters.requiredText('project_id');
  const projectId = parameters.integer('project_id') ?? 0;
  const project = instance.state.projects.find((candidate) => candidate.id === projectId);
  if (project === undefined) throw badRequest('Missing/invalid project');
  if (levelInProject(instance, user, project) < MAINTAINER) throw refusal;
  return { type, groupId: null, projectId };
}

// Refuses a change if the runner has changed since `If-Unmodified-Since`.
function refuseChanged(c: Context, runner: Runner): void {
  const unmodifiedSince = Date.parse(c.req.header('if-unmodified-since') ?? '');
  if (unmodifiedSince < (runner.updatedAt ?? runner.createdAt)) {
    throw new Refusal(412, { message: '412 Precondition Failed' });
  }
}

function humanize(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
