import type { Context } from 'hono';
import type { Instance } from '../instance.ts';
import { digestOf } from '../secrets.ts';
import type { Job, PersonalAccessToken, User } from '../state.ts';
import { requirePermission } from './granular.ts';
import { forbidden, insufficientScope, invalidToken, unauthorized } from './refusal.ts';

export type Identity =
  | { kind: 'token'; user: User; token: PersonalAccessToken }
  | { kind: 'job'; user: User; job: Job };

export type Scope = 'api' | 'read_api' | 'read_user' | 'create_runner' | 'manage_runner';

export const SCOPES: readonly string[] = [
  'api',
  'read_api',
  'read_user',
  'create_runner',
  'manage_runner',
  'k8s_proxy',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'granular',
];

/**
 * Authenticates the caller. `own` lists the scopes that this endpoint accepts besides `api` and,
 * for a GET, `read_api`; `any` accepts every valid token. A job token needs `jobToken`. For a
 * GraphQL query, each object checks its own permission.
 */
export function authenticate(
  c: Context,
  instance: Instance,
  {
    own = [],
    jobToken = false,
    isQuery = false,
  }: { own?: readonly Scope[] | 'any'; jobToken?: boolean; isQuery?: boolean } = {},
): Identity {
  const jobSecret = c.req.header('job-token');
  if (jobSecret !== undefined) {
    if (!jobToken) throw unauthorized();
    return identifyJob(instance, jobSecret);
  }
  const secret = c.req.header('private-token') ?? bearerOf(c) ?? c.req.query('private_token');
  if (secret === undefined) throw unauthorized();
  const token = instance.state.tokens.find((candidate) => candidate.digest === digestOf(secret));
  if (token === undefined) throw unauthorized();
  refuseDead(instance, token);
  // GitLab returns the same refusal for a classic token if its namespace requires fine-grained
  // tokens.
  if (token.permissions !== undefined) {
    if (!isQuery) requirePermission(instance, c.req, token.permissions);
  } else if (own !== 'any') requireScope(c, token, own);
  const user = readUser(instance, token.userId);
  if (user.blocked) throw forbidden('Your account has been blocked.');
  token.lastUsedAt = instance.now();
  return { kind: 'token', user, token };
}

/** Authenticates calls of `/runners/:id` and below. */
export function authenticateRunnerAdmin(c: Context, instance: Instance): Identity {
  return authenticate(c, instance, { own: ['manage_runner'] });
}

function requireScope(c: Context, token: PersonalAccessToken, own: readonly Scope[]): void {
  const isRead = c.req.method === 'GET';
  const opening: readonly string[] = [...own, 'api', ...(isRead ? ['read_api'] : [])];
  if (token.scopes.some((scope) => opening.includes(scope))) return;
  // The message also names `read_api` if that scope would not suffice.
  throw insufficientScope([...own, 'api', 'read_api']);
}

export function identifyJob(instance: Instance, secret: string): Identity {
  const digest = digestOf(secret);
  const job = instance.state.jobs.find(
    (candidate) =>
      candidate.tokenDigests.at(-1) === digest &&
      (candidate.status === 'running' || candidate.status === 'canceling'),
  );
  if (job === undefined) throw unauthorized();
  return { kind: 'job', user: readUser(instance, job.userId), job };
}

export function readUser(instance: Instance, id: number): User {
  const user = instance.state.users.find((candidate) => candidate.id === id);
  if (user === undefined) throw unauthorized();
  return user;
}

function bearerOf(c: Context): string | undefined {
  return /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

function refuseDead(instance: Instance, token: PersonalAccessToken): void {
  if (token.revoked) {
    throw invalidToken('Token was revoked. You have to re-authorize from the user.');
  }
  if (token.expiresAt <= instance.now()) {
    throw invalidToken('Token is expired. You can either do re-authorization or token refresh.');
  }
}
