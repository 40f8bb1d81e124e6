import { Hono } from 'hono';
import { graphqlFields, runnerInGraphql } from '../entities/runner.ts';
import type { Instance } from '../instance.ts';
import type { Project, Runner, User } from '../state.ts';
import { findProject, GUEST, levelInProject, mayReadRunner } from './access.ts';
import { authenticate } from './authentication.ts';
import { mayQuery } from './granular.ts';
import { Refusal } from './refusal.ts';

/**
 * Creates the GraphQL queries that REST lacks, as of 15.10 to 18.x. Before 18.9, REST lacks
 * `runner(id) { jobExecutionStatus }`. `projectCount` and `ownerProject { id }` exist only here, the
 * latter for users who may see that project. `tokenExpiresAt` is for users who may change the
 * runner.
 *
 * One query may read several runners, each with its own alias. From 17.5 on, the status counts the
 * same jobs as REST. A runner that the caller may not read is null.
 */
export function graphqlRoute(instance: Instance): Hono {
  const app = new Hono();

  app.post('/graphql', async (c) => {
    const { query = '', variables = {} } = (await c.req.json()) as GraphqlRequest;
    const refuse = (message: string) => c.json({ errors: [{ message }] });
    const queried = readQuery(query, variables);
    const unknown = queried
      .flatMap(({ fields }) => fields)
      .find((field) => !graphqlFields.includes(field));
    if (unknown !== undefined) return refuse(`Field '${unknown}' doesn't exist on type 'CiRunner'`);
    const complexity = queried.reduce((sum, { weight }) => sum + weight, 0);
    if (complexity > MAX_COMPLEXITY)
      return refuse(
        `Query has complexity of ${complexity}, which exceeds max complexity of ${MAX_COMPLEXITY}`,
      );
    const identity = readCaller(() =>
      authenticate(c, instance, { own: ['read_api'], isQuery: true }),
    );
    const { user } = identity;
    const granted = identity.kind === 'token' ? identity.token.permissions : undefined;
    const show = ({ id, fields }: QueriedRunner) => {
      const runner = instance.state.runners.find((row) => String(row.id) === id);
      const isSeen = mayQuery(granted, 'CiRunner') && runner !== undefined;
      if (!isSeen || !mayReadRunner(instance, user, runner)) return null;
      const all = describe(instance, { user, granted, runner });
      return Object.fromEntries(fields.map((field) => [field, all[field]]));
    };
    return c.json({ data: Object.fromEntries(queried.map((one) => [one.name, show(one)])) });
  });

  return app;
}

interface Seen {
  readonly user: User;
  readonly granted: readonly string[] | undefined;
  readonly runner: Runner;
}

function describe(
  instance: Instance,
  { user, granted, runner }: Seen,
): Readonly<Record<string, unknown>> {
  const owner = mayQuery(granted, 'Project') ? ownerSeenBy(instance, user, runner) : undefined;
  return {
    ...runnerInGraphql(instance, runner, user),
    ownerProject: owner === undefined ? null : { id: `gid://gitlab/Project/${owner.id}` },
  };
}

function ownerSeenBy(instance: Instance, user: User, runner: Runner): Project | undefined {
  const [first] = runner.projectIds;
  const owner = first === undefined ? undefined : findProject(instance, first);
  const isSeen = owner !== undefined && levelInProject(instance, user, owner) >= GUEST;
  return isSeen ? owner : undefined;
}

/**
 * Complexity limit without a token. GitLab accepts 250 with a token, and 300 from an administrator.
 */
const MAX_COMPLEXITY = 200;

interface GraphqlRequest {
  query?: string;
  variables?: Record<string, unknown>;
}

interface QueriedRunner {
  /** Key in the response. */
  readonly name: string;
  readonly id: string | undefined;
  readonly fields: readonly string[];
  /** Complexity: one for the runner, and one per field. */
  readonly weight: number;
}

/** Parses a query. Only runners by id are supported. */
function readQuery(query: string, variables: object): readonly QueriedRunner[] {
  const body = '\\{((?:[^{}]|\\{[^{}]*\\})*)\\}';
  const fragments = new Map(
    [...query.matchAll(new RegExp(`fragment\\s+(\\w+)\\s+on\\s+CiRunner\\s*${body}`, 'g'))].map(
      ([, name = '', fields = '']) => [name, fields],
    ),
  );
  const runner = new RegExp(`(?:(\\w+)\\s*:\\s*)?\\brunner\\s*\\(([^)]*)\\)\\s*${body}`, 'g');
  return [...query.matchAll(runner)].map(([, name = 'runner', argument = '', selected = '']) => {
    const whole = selected.replace(
      /\.\.\.\s*(\w+)/g,
      (_, fragment) => fragments.get(fragment) ?? '',
    );
    const fields = whole.replace(/\{[^{}]*\}/g, '').match(/\w+/g) ?? [];
    const text = argument.includes('$') ? JSON.stringify(variables) : argument;
    const id = /gid:\/\/gitlab\/Ci::Runner\/(\d+)/.exec(text)?.[1];
    return { name, id, fields, weight: 1 + (whole.match(/\w+/g) ?? []).length };
  });
}

// Reads the caller. GraphQL has a different message for an invalid token.
function readCaller<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(401, { errors: [{ message: 'Invalid token' }] });
  }
}
