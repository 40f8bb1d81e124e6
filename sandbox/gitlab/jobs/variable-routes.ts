import { type Context, Hono } from 'hono';
import { MAINTAINER } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import { invalid, notFound, Refusal } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { enterProject } from '../routes/lookup.ts';
import type { Project, ProjectVariable } from '../state.ts';

/** Variables of a project. A job without an environment gets those with the scope `*` only. */
export function variableRoutes(instance: Instance): Hono {
  const app = new Hono();
  const all = '/projects/:id/variables';

  app.get(all, (c) => {
    const { project } = enter(c, instance);
    const items = variablesOf(instance, project);
    return answerPage(c, { items, present: entity, baseUrl: instance.baseUrl() });
  });

  app.get(`${all}/:key`, (c) => {
    const { project } = enter(c, instance);
    return c.json(entity(readVariable(c, instance, project)));
  });

  app.post(all, async (c) => {
    const { project } = enter(c, instance);
    const variable = fromParameters(project, await readParameters(c));
    const { key, environmentScope } = variable;
    const isTaken = variablesOf(instance, project).some(
      (row) => row.key === key && row.environmentScope === environmentScope,
    );
    if (isTaken) throw invalid({ key: [`(${key}) has already been taken`] });
    instance.state.variables.push(variable);
    instance.changed();
    return c.json(entity(variable), 201);
  });

  app.delete(`${all}/:key`, (c) => {
    const { project } = enter(c, instance);
    const variable = readVariable(c, instance, project);
    instance.state.variables = instance.state.variables.filter((row) => row !== variable);
    instance.changed();
    return c.body(null, 204);
  });

  return app;
}

function enter(c: Context, instance: Instance) {
  return enterProject(c, instance, {
    identity: authenticate(c, instance),
    needed: MAINTAINER,
  });
}

function readVariable(c: Context, instance: Instance, project: Project): ProjectVariable {
  const scope = c.req.query('filter[environment_scope]');
  const found = variablesOf(instance, project).filter(
    ({ key, environmentScope }) =>
      key === c.req.param('key') && (scope === undefined || environmentScope === scope),
  );
  if (found.length > 1) {
    const message =
      "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'";
    throw new Refusal(409, { message: `409 Conflict: ${message}` });
  }
  const [variable] = found;
  if (variable === undefined) throw notFound('Variable');
  return variable;
}

function fromParameters(project: Project, parameters: Parameters): ProjectVariable {
  const isHidden = parameters.flag('masked_and_hidden') ?? false;
  return {
    projectId: project.id,
    key: parameters.requiredText('key'),
    value: parameters.requiredText('value'),
    environmentScope: parameters.text('environment_scope') ?? '*',
    isProtected: parameters.flag('protected') ?? false,
    isMasked: isHidden || (parameters.flag('masked') ?? false),
    isHidden,
  };
}

function variablesOf(instance: Instance, project: Project): ProjectVariable[] {
  return instance.state.variables.filter(({ projectId }) => projectId === project.id);
}

function entity(variable: ProjectVariable) {
  return {
    variable_type: 'env_var',
    key: variable.key,
    value: variable.isHidden ? null : variable.value,
    protected: variable.isProtected,
    masked: variable.isMasked,
    hidden: variable.isHidden,
    raw: false,
    environment_scope: variable.environmentScope,
    description: null,
  };
}
