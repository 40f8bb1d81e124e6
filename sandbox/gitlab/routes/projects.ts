import { type Context, Hono } from 'hono';
import {
  levelInProject,
  MAINTAINER,
  OWNER,
  readGroup,
  readProject,
  requireLevel,
} from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import { badParameter, Refusal } from '../answers/refusal.ts';
import { groupDetails, projectDetails } from '../entities/project.ts';
import type { Instance } from '../instance.ts';
import { PROCESS_MODES } from '../settings/settings.ts';
import type { Project } from '../state.ts';

const ROLES = ['owner', 'developer', 'maintainer', 'no_one_allowed'] as const;
const SWITCH = ['enabled', 'disabled'] as const;

export function projectRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.get('/projects/:id', (c) => {
    const { user } = authenticate(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    return c.json(projectDetails(instance, project, levelInProject(instance, user, project)));
  });

  app.put('/projects/:id', async (c: Context<object, '/projects/:id'>) => {
    const { user } = authenticate(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    const level = levelInProject(instance, user, project);
    requireLevel(level, MAINTAINER);
    changeSettings(instance, project, { level, parameters: await readParameters(c) });
    return c.json(projectDetails(instance, project, level));
  });

  app.get('/groups/:id', (c) => {
    const { user } = authenticate(c, instance);
    return c.json(groupDetails(instance, readGroup(instance, user, c.req.param('id'))));
  });

  return app;
}

const restriction = 'restrict_user_defined_variables';
const minimumRole = 'ci_pipeline_variables_minimum_override_role';

/** Changes the settings of pipelines. GitLab ignores a parameter that its version lacks. */
function changeSettings(
  instance: Instance,
  project: Project,
  { level, parameters }: { level: number; parameters: Parameters },
): void {
  const { settings } = project;
  const role = parameters.choice(minimumRole, ROLES);
  const isRestricted = parameters.flag(restriction);
  const autoCancel = parameters.choice('auto_cancel_pending_pipelines', SWITCH);
  const mode = instance.features.defaultProcessModes
    ? parameters.choice('resource_group_default_process_mode', PROCESS_MODES)
    : undefined;
  if ([role, isRestricted, autoCancel, mode].every((value) => value === undefined))
    throw badParameter(
      `${minimumRole}, ${restriction}, auto_cancel_pending_pipelines are missing, at least one parameter must be provided`,
    );
  const isForOwners = role === 'owner' || settings.minimumRole === 'owner';
  if ((role ?? isRestricted) !== undefined && isForOwners && level < OWNER)
    throw new Refusal(400, {
      message: `400 Bad request - Changing the ${restriction} or ${minimumRole} is not allowed`,
    });
  settings.minimumRole = role ?? settings.minimumRole;
  settings.isRestricted = isRestricted ?? settings.isRestricted;
  settings.autoCancel = autoCancel ?? settings.autoCancel;
  settings.processMode = mode ?? settings.processMode;
  instance.changed();
}
