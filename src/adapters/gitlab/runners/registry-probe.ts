import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult } from '../../../ports/registry.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { listingOf, type RunnerScope } from '../jobs/visibility.ts';
import { readOne } from '../list-reader.ts';
import { describeHidden, othersOf } from './assignments.ts';
import { readPlaces } from './places.ts';

export const ownToken = z.object({
  name: printableName.nullish(),
  scopes: z.array(z.string()).nullish(),
  active: z.boolean().nullish(),
  expires_at: z.string().nullish(),
});
export const ownUser = z.object({
  id: z.number(),
  username: printableName,
  is_admin: z.boolean().nullish(),
});
export const member = z.object({ access_level: z.number() });

type OwnToken = z.infer<typeof ownToken>;

const fineGrained = 'fine-grained permissions';
const unlistedPermissions =
  'GitLab does not list them, and refuses each call that lacks its permission; docs/use/permissions.md lists them';

/** Scopes that GitLab accepts in place of `api`, each for some paths. */
const neededScopes = [
  { scope: 'create_runner', purpose: 'create a runner' },
  { scope: 'manage_runner', purpose: 'read, change and remove a runner' },
  { scope: 'read_api', purpose: 'list runners' },
] as const;

/**
 * Probes the permissions and changes nothing. Rejects if GitLab does not respond or refuses the
 * token.
 */
export async function probeRegistry(
  client: GitLabClient,
  scope: RunnerScope,
  registrations: readonly RegistrationId[] = [],
): Promise<readonly ProbeResult[]> {
  const token = await refusable(
    () => readOne(client, 'personal_access_tokens/self', { schema: ownToken }),
    // GitLab returns 400 to an OAuth token here. An invalid token would get 401 from the other
    // probes too.
    [400, 403, 404],
  );
  return [
    ...(token.kind === 'read' ? judgeToken(token.value) : unreadToken(token)),
    await probeRole(client, scope),
    await probeListing(client, scope),
    ...(await probeRemovals(client, scope, registrations)),
  ];
}

/**
 * Reports a token that GitLab does not describe. Only a fine-grained token needs a permission for
 * that.
 */
function unreadToken({ detail, isGranular }: Extract<Reading<OwnToken>, { kind: 'refused' }>) {
  const itself = notProbed('token', detail);
  return isGranular ? [itself, notProbed(fineGrained, unlistedPermissions)] : [itself];
}

function judgeToken(token: OwnToken): ProbeResult[] {
  const until = token.expires_at ? `expires on ${token.expires_at}` : 'does not expire';
  const { scopes } = token;
  if (!scopes) return [notProbed('token', 'GitLab does not report its scopes')];
  const text = `"${token.name ?? ''}" ${until}; scopes ${scopes.join(', ')}`;
  const itself =
    token.active === false ? missing('token', `it is not active: ${text}`) : granted('token', text);
  // The scopes of a fine-grained token prove nothing. GitLab checks every call against a list of
  // permissions per place, and the API does not return that list.
  if (scopes.includes('granular')) return [itself, notProbed(fineGrained, unlistedPermissions)];
  return [
    itself,
    ...neededScopes.map(({ scope, purpose }) => {
      const what = `scope ${scope}`;
      if (scopes.includes('api')) return granted(what, 'included in api');
      if (scopes.includes(scope)) return granted(what, `to ${purpose}`);
      return missing(what, `needed to ${purpose}; the token has ${scopes.join(', ')}`);
    }),
  ];
}

async function probeRole(client: GitLabClient, scope: RunnerScope): Promise<ProbeResult> {
  const what = roleOf(scope);
  const user = await refusable(() => readOne(client, 'user', { schema: ownUser }));
  if (user.kind === 'refused') return notProbed(what, user.detail);
  const { id, username, is_admin: isAdmin } = user.value;
  if (isAdmin) return granted(what, `${username} is an administrator`);
  if (scope.kind === 'instance') return missing(what, `${username} is not an administrator`);
  const level = await refusable(() => readLevel(client, { scope, userId: id }));
  if (level.kind === 'refused') {
    // GitLab returns "Not found" for a user without membership. To such a user, a private group
    // does not exist. An unknown path is an `error`.
    return /^404 (?:Not found|Group Not Found|Project Not Found)$/.test(level.detail)
      ? missing(what, `${username} is not a member`)
      : notProbed(what, level.detail);
  }
  const needed = scope.kind === 'group' ? 50 : 40;
  const text = `${username} has access level ${level.value}`;
  return level.value >= needed
    ? granted(what, text)
    : missing(what, `${text}, ${needed} is needed`);
}

async function readLevel(
  client: GitLabClient,
  { scope, userId }: { scope: Exclude<RunnerScope, { kind: 'instance' }>; userId: number },
): Promise<number> {
  const members =
    scope.kind === 'group'
      ? `groups/${scope.groupId}/members/all/${userId}`
      : `projects/${scope.projectId}/members/all/${userId}`;
  return (await readOne(client, members, { schema: member })).access_level;
}

async function probeListing(client: GitLabClient, scope: RunnerScope): Promise<ProbeResult> {
  const { endpoint, query } = listingOf(scope);
  const what = `list runners (GET /${endpoint})`;
  const listed = await refusable(() =>
    client.raw.get(endpoint, { searchParams: { ...query, per_page: 1 } }),
  );
  return listed.kind === 'read' ? granted(what, 'answered') : missing(what, listed.detail);
}

/**
 * Probes removals. GitLab removes a runner of several projects only if the user may take it from
 * all but its owner project.
 */
async function probeRemovals(
  client: GitLabClient,
  scope: RunnerScope,
  registrations: readonly RegistrationId[],
): Promise<ProbeResult[]> {
  if (scope.kind !== 'project' || registrations.length === 0) return [];
  const user = await refusable(() => readOne(client, 'user', { schema: ownUser }));
  const results: ProbeResult[] = [];
  for (const id of registrations) {
    const what = `removal of runner ${id}`;
    if (user.kind === 'refused') results.push(notProbed(what, user.detail));
    else if (user.value.is_admin)
      results.push(granted(what, `${user.value.username} is an administrator`));
    else results.push(await probeRemoval(client, { scope, id, what, user: user.value }));
  }
  return results;
}

async function probeRemoval(
  client: GitLabClient,
  target: {
    scope: Extract<RunnerScope, { kind: 'project' }>;
    id: RegistrationId;
    what: string;
    user: z.infer<typeof ownUser>;
  },
): Promise<ProbeResult> {
  const { scope, id, what, user } = target;
  const reading = await refusable(() => readPlaces(client, id));
  // The runner is gone or hidden from this token, which other probes report.
  if (reading.kind === 'refused') return notProbed(what, reading.detail);
  const places = reading.value;
  if (places.hidden !== 'unknown' && places.hidden > 0)
    return missing(what, `${describeHidden(places)}; GitLab removes it from its last one only`);
  for (const projectId of othersOf(places, scope)) {
    const place = { kind: 'project', projectId } as const;
    const level = await refusable(() => readLevel(client, { scope: place, userId: user.id }));
    const reason =
      level.kind === 'refused'
        ? `GitLab returned "${level.detail}"`
        : `${user.username} has access level ${level.value}, 40 is needed`;
    if (level.kind === 'refused' || level.value < 40)
      return missing(what, `it has to be removed from project ${projectId}, but ${reason}`);
  }
  if (places.hidden === 'unknown') return notProbed(what, describeHidden(places));
  return granted(what, `of its projects ${places.seen.join(', ')}`);
}

/** Names the role that may create a runner in this scope. */
function roleOf(scope: RunnerScope): string {
  switch (scope.kind) {
    case 'instance':
      return 'role administrator';
    case 'group':
      return `role Owner of group ${scope.groupId}`;
    case 'project':
      return `role Maintainer of project ${scope.projectId}`;
  }
}

type Reading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly detail: string;
      /** Whether a permission of a fine-grained token is missing. */
      readonly isGranular: boolean;
    };

async function refusable<T>(
  read: () => Promise<T>,
  statuses: readonly number[] = [401, 403, 404],
): Promise<Reading<T>> {
  try {
    return { kind: 'read', value: await read() };
  } catch (error) {
    const status = statuses.find((each) => isRefusal(error, each));
    if (status === undefined || !isPortFailure(error)) throw error;
    return {
      kind: 'refused',
      status,
      detail: error.detail,
      isGranular: error.ground !== undefined,
    };
  }
}

function granted(what: string, detail: string): ProbeResult {
  return { what, outcome: 'granted', detail };
}

function missing(what: string, detail: string): ProbeResult {
  return { what, outcome: 'missing', detail };
}

function notProbed(what: string, detail: string): ProbeResult {
  return { what, outcome: 'not_probed', detail };
}
