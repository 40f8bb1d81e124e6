import type { Context } from 'hono';
import type { Instance } from './instance.ts';
import { insufficientScope, invalidToken, unauthorized } from './refusal.ts';
import { digestOf } from './secrets.ts';
import type { Job, PersonalAccessToken, User } from './state.ts';

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
];

/**
 * Who calls, if the call's token has one of the scopes; `any` takes every valid token.
 * A job's own token opens only what says `jobToken`.
 */
export function authenticate(
  c: Context,
  instance: Instance,
  { scopes, jobToken = false }: { scopes: readonly Scope[] | 'any'; jobToken?: boolean },
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
  if (scopes !== 'any' && !scopes.some((scope) => token.scopes.includes(scope))) {
    throw insufficientScope(scopes);
  }
  token.lastUsedAt = instance.now();
  return { kind: 'token', user: readUser(instance, token.userId), token };
}

/** Reading the REST API, but for the runners' own paths. */
export function authenticateReader(c: Context, instance: Instance): Identity {
  return authenticate(c, instance, { scopes: ['api', 'read_api'] });
}

export function authenticateWriter(c: Context, instance: Instance): Identity {
  return authenticate(c, instance, { scopes: ['api'] });
}

/** `/runners/:id` and below: here `read_api` is not enough. */
export function authenticateRunnerAdmin(c: Context, instance: Instance): Identity {
  return authenticate(c, instance, { scopes: ['api', 'manage_runner'] });
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
