import { type Context, Hono } from 'hono';
import {
  DEVELOPER,
  findProject,
  levelInProject,
  MAINTAINER,
  OWNER,
  requireLevel,
} from '../answers/access.ts';
import { authenticate, identifyJob, readUser } from '../answers/authentication.ts';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import { badParameter, invalid, notFound } from '../answers/refusal.ts';
import { pipelineDetails } from '../entities/pipeline.ts';
import type { Instance } from '../instance.ts';
import { createDefinedPipeline, type PipelineRequest } from '../jobs/creation.ts';
import { digestOf } from '../secrets.ts';
import { enterProject } from './lookup.ts';

const INPUTS_MAX = 20;

export function pipelineCreationRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/projects/:id/pipeline', async (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const parameters = await readParameters(c);
    const ref = parameters.requiredText('ref');
    if (parameters.has('variables') && !Array.isArray(parameters.values['variables']))
      throw badParameter('variables is invalid');
    return create(c, instance, {
      parameters,
      request: { project, userId: identity.user.id, ref, source: 'api' },
    });
  });

  app.post('/projects/:id/trigger/pipeline', (c) => trigger(c, instance));
  app.post('/projects/:id/ref/:ref/trigger/pipeline', (c) => trigger(c, instance));

  return app;
}

// Triggers a pipeline with a trigger token or a job token, not with a personal one.
async function trigger(c: Context, instance: Instance): Promise<Response> {
  const parameters = await readParameters(c);
  const secret = parameters.requiredText('token');
  const ref = c.req.param('ref') ?? parameters.requiredText('ref');
  const project = findProject(instance, c.req.param('id') ?? '');
  if (project === undefined) throw notFound();
  const triggered = instance.state.triggers.find(
    (row) => row.digest === digestOf(secret) && row.projectId === project.id,
  );
  const user =
    triggered === undefined
      ? identifyJob(instance, secret).user
      : readUser(instance, triggered.userId);
  if (levelInProject(instance, user, project) === 0) throw notFound();
  requireLevel(levelInProject(instance, user, project), DEVELOPER);
  return create(c, instance, {
    parameters,
    request: { project, userId: user.id, ref, source: 'trigger' },
  });
}

function create(
  c: Context,
  instance: Instance,
  { parameters, request }: { parameters: Parameters; request: PipelineRequest },
): Response {
  if (!request.project.branches.includes(request.ref)) {
    throw invalid({ base: ['Reference not found'] });
  }
  const { pipelineInputs } = instance.features;
  // By default, variables are refused if inputs are supported, as in every new namespace.
  if (pipelineInputs && hasVariables(parameters) && !maySetVariables(instance, request)) {
    throw invalid({ base: ['Insufficient permissions to set pipeline variables'] });
  }
  // A version without inputs ignores them without an error, and a variable replaces an input.
  const inputs = pipelineInputs ? parameters.object('inputs') : variablesIn(parameters);
  if (Object.keys(inputs).length > INPUTS_MAX) {
    throw invalid({ base: [`There cannot be more than ${INPUTS_MAX} inputs`] });
  }
  const pipeline = createDefinedPipeline(instance, { ...request, inputs });
  return c.json(pipelineDetails(instance, pipeline), 201);
}

// Reads `variables[tag]=x` of a trigger, or a list of keys and values.
function variablesIn({ values }: Parameters): Record<string, unknown> {
  const { variables } = values;
  if (!Array.isArray(variables)) return (variables ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    (variables as { key?: unknown; value?: unknown }[]).map(({ key, value }) => [
      String(key),
      value,
    ]),
  );
}

/** Compares the user's role with the project's setting (app/models/project_ci_cd_setting.rb). */
function maySetVariables(instance: Instance, { project, userId }: PipelineRequest): boolean {
  const { isRestricted, minimumRole } = project.settings;
  if (!isRestricted) return true;
  if (minimumRole === 'no_one_allowed') return false;
  const needed = { developer: DEVELOPER, maintainer: MAINTAINER, owner: OWNER }[minimumRole];
  return levelInProject(instance, readUser(instance, userId), project) >= needed;
}

function hasVariables(parameters: Parameters): boolean {
  const variables = parameters.values['variables'];
  return typeof variables === 'object' && variables !== null && Object.keys(variables).length > 0;
}
