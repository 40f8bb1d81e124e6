import { type Context, Hono } from 'hono';
import { levelInGroup, MAINTAINER, OWNER, readGroup, requireLevel } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import { invalid, notFound, Refusal } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { enterProject } from '../routes/lookup.ts';
import type { CiVariable } from '../state.ts';

type Owner = CiVariable['owner'];

/**
 * Creates the routes for variables of projects and groups. A job without an environment only gets
 * those with the scope `*`.
 */
export function variableRoutes(instance: Instance): Hono {
  const app = new Hono();
  addRoutes(app, instance, {
    all: '/projects/:id/variables',
    enter: (c) => {
      const identity = authenticate(c, instance);
      const { project } = enterProject(c, instance, { identity, needed: MAINTAINER });
      return { kind: 'project', id: project.id };
    },
  });
  addRoutes(app, instance, {
    all: '/groups/:id/variables',
    enter: (c) => {
      const { user } = authenticate(c, instance);
      const { id } = readGroup(instance, user, c.req.param('id') ?? '');
      requireLevel(levelInGroup(instance, user, id), OWNER);
      return { kind: 'group', id };
    },
  });
  return app;
}

function addRoutes(
  app: Hono,
  instance: Instance,
  { all, enter }: { all: string; enter: (c: Context) => Owner },
): void {
  app.get(all, (c) => {
    const items = variablesOf(instance, enter(c));
    return answerPage(c, { items, present: entity, baseUrl: instance.baseUrl() });
  });

  app.get(`${all}/:key`, (c) => c.json(entity(readVariable(c, instance, enter(c)))));

  app.post(all, async (c) => {
    const owner = enter(c);
    const variable = fromParameters(owner, await readParameters(c));
    refuseUnmaskable(variable);
    refuseTaken(instance, variable);
    instance.state.variables.push(variable);
    instance.changed();
    return c.json(entity(variable), 201);
  });

  app.put(`${all}/:key`, async (c) => {
    const owner = enter(c);
    const variable = readVariable(c, instance, owner);
    const parameters = await readParameters(c);
    const changed = {
      ...variable,
      value: parameters.text('value') ?? variable.value,
      isProtected: parameters.flag('protected') ?? variable.isProtected,
      isMasked: parameters.flag('masked') ?? variable.isMasked,
      environmentScope:
        (owner.kind === 'project' ? parameters.text('environment_scope') : undefined) ??
        variable.environmentScope,
    };
    if (variable.isHidden && !changed.isMasked)
      throw invalid({
        base: ['The visibility setting cannot be changed for masked and hidden variables.'],
      });
    refuseUnmaskable(changed);
    refuseTaken(instance, changed, variable);
    Object.assign(variable, changed);
    instance.changed();
    return c.json(entity(variable));
  });

  app.delete(`${all}/:key`, (c) => {
    const variable = readVariable(c, instance, enter(c));
    instance.state.variables = instance.state.variables.filter((row) => row !== variable);
    instance.changed();
    return c.body(null, 204);
  });
}

/** Values that GitLab can mask in a job's log: app/models/concerns/ci/maskable.rb. */
const maskable = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/;

function refuseUnmaskable({ isMasked, value }: CiVariable): void {
  if (isMasked && !maskable.test(value)) throw invalid({ value: ['is invalid'] });
}

function refuseTaken(instance: Instance, variable: CiVariable, itself?: CiVariable): void {
  const { owner, key, environmentScope } = variable;
  const isTaken = variablesOf(instance, owner).some(
    (row) => row !== itself && row.key === key && row.environmentScope === environmentScope,
  );
  if (isTaken) throw invalid({ key: [`(${key}) has already been taken`] });
}

function readVariable(c: Context, instance: Instance, owner: Owner): CiVariable {
  const scope = c.req.query('filter[environment_scope]');
  const found = variablesOf(instance, owner).filter(
    ({ key, environmentScope }) =>
      key === c.req.param('key') && (scope === undefined || environmentScope === scope),
  );
  if (found.length > 1) {
    const message =
      "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'";
    throw new Refusal(409, { message: `409 Conflict: ${message}` });
  }
  const [variable] = found;
  if (variable === undefined) throw notFound(owner.kind === 'group' ? 'GroupVariable' : 'Variable');
  return variable;
}

/** Creates a variable. Without Premium, a group's variable always has the scope `*`. */
function fromParameters(owner: Owner, parameters: Parameters): CiVariable {
  const isHidden = parameters.flag('masked_and_hidden') ?? false;
  const scope = parameters.text('environment_scope') ?? '*';
  return {
    owner,
    key: parameters.requiredText('key'),
    value: parameters.requiredText('value'),
    environmentScope: owner.kind === 'group' ? '*' : scope,
    isProtected: parameters.flag('protected') ?? false,
    isMasked: isHidden || (parameters.flag('masked') ?? false),
    isHidden,
  };
}

function variablesOf(instance: Instance, { kind, id }: Owner): CiVariable[] {
  return instance.state.variables.filter(({ owner }) => owner.kind === kind && owner.id === id);
}

function entity(variable: CiVariable) {
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
