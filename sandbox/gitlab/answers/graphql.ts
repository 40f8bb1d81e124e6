import { Hono } from 'hono';
import { executionStatus } from '../contact.ts';
import { moment } from '../entities/moment.ts';
import type { Instance } from '../instance.ts';
import type { Project, Runner, User } from '../state.ts';
import { findProject, GUEST, levelInProject, mayReadRunner, mayUpdateRunner } from './access.ts';
import { authenticate } from './authentication.ts';
import { mayQuery } from './granular.ts';
import { Refusal } from './refusal.ts';

const GID = /gid:\/\/gitlab\/Ci::Runner\/(\d+)/;

/**
 * What REST does not answer: `runner(id) { jobExecutionStatus }` before 18.9, and `projectCount` and
 * `ownerProject { id }`, the latter to who may see that project, and `tokenExpiresAt` to who may change
 * the runner (as of 15.10 to 18.x).
 * In all versions from 17.5 on it counts what REST counts, and a runner that the caller may not
 * read is null.
 */
export function graphqlRoute(instance: Instance): Hono {
  const app = new Hono();

  app.post('/graphql', async (c) => {
    const { query = '', variables = {} } = (await c.req.json()) as GraphqlRequest;
    const unknown = fieldsOf(query).find((field) => !FIELDS.includes(field));
    if (unknown !== undefined) {
      const message = `Field '${unknown}' doesn't exist on type 'CiRunner'`;
      return c.json({ errors: [{ message }] });
    }
    const identity = readCaller(() =>
      authenticate(c, instance, { own: ['read_api'], isQuery: true }),
    );
    const { user } = identity;
    const granted = identity.kind === 'token' ? identity.token.permissions : undefined;
    const id = GID.exec(`${query} ${JSON.stringify(variables)}`)?.[1];
    const runner = instance.state.runners.find((row) => String(row.id) === id);
    const isSeen = mayQuery(granted, 'CiRunner') && runner !== undefined;
    if (!isSeen || !mayReadRunner(instance, user, runner)) {
      return c.json({ data: { runner: null } });
    }
    const owner = mayQuery(granted, 'Project') ? ownerSeenBy(instance, user, runner) : undefined;
    const all: Record<string, unknown> = {
      __typename: 'CiRunner',
      id: `gid://gitlab/Ci::Runner/${runner.id}`,
      jobExecutionStatus: executionStatus(instance, { runnerId: runner.id }).toUpperCase(),
      projectCount: runner.type === 'project_type' ? runner.projectIds.length : null,
      tokenExpiresAt: mayUpdateRunner(instance, user, runner)
        ? moment(runner.tokenExpiresAt ?? null)
        : null,
      ownerProject: owner === undefined ? null : { id: `gid://gitlab/Project/${owner.id}` },
    };
    const asked = fieldsOf(query).map((field) => [field, all[field]]);
    return c.json({ data: { runner: Object.fromEntries(asked) } });
  });

  return app;
}

function ownerSeenBy(instance: Instance, user: User, runner: Runner): Project | undefined {
  const [first] = runner.projectIds;
  const owner = first === undefined ? undefined : findProject(instance, first);
  const isSeen = owner !== undefined && levelInProject(instance, user, owner) >= GUEST;
  return isSeen ? owner : undefined;
}

const FIELDS: readonly string[] = [
  '__typename',
  'id',
  'jobExecutionStatus',
  'ownerProject',
  'projectCount',
  'tokenExpiresAt',
];

interface GraphqlRequest {
  query?: string;
  variables?: Record<string, unknown>;
}

function fieldsOf(query: string): string[] {
  const inner = /runner\s*\([^)]*\)\s*\{((?:[^{}]|\{[^{}]*\})*)\}/.exec(query)?.[1] ?? '';
  return inner.replace(/\{[^{}]*\}/g, '').match(/\w+/g) ?? [];
}

// GraphQL has its own word for a token that opens nothing.
function readCaller<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(401, { errors: [{ message: 'Invalid token' }] });
  }
}
