import type { RegistrationSettings } from '../../../domain/settings.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { Found } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';

export type RunnerScope = RegistrationSettings['scope'];

/**
 * Returns the request for a scope's runners. GitLab adds inherited runners; the type excludes most
 * of them.
 */
export function listingOf(scope: RunnerScope): { endpoint: string; query: { type: string } } {
  switch (scope.kind) {
    case 'instance':
      return { endpoint: 'runners/all', query: { type: 'instance_type' } };
    case 'group':
      return { endpoint: `groups/${scope.groupId}/runners`, query: { type: 'group_type' } };
    case 'project':
      return { endpoint: `projects/${scope.projectId}/runners`, query: { type: 'project_type' } };
  }
}

/**
 * Reads a runner. `absent` only if GitLab reports that it does not exist and the token may read the
 * scope.
 */
export async function findRunner<T>(
  client: GitLabClient,
  scope: RunnerScope,
  read: () => Promise<T>,
): Promise<Found<T>> {
  try {
    return { kind: 'found', value: await read() };
  } catch (error) {
    if (!isMissingRunner(error)) throw error;
    await proveSight(client, scope);
    return { kind: 'absent' };
  }
}

/** Detects a missing runner, for `runners/:id` and the paths below it. */
function isMissingRunner(error: unknown): boolean {
  if (!isPortFailure(error) || !isNotFound(error, 'runner')) return false;
  return /^\/runners\/\d+(?:\/|$)/.test(error.path ?? '');
}

/** Rejects unless the token may read the scope's runners right now. */
async function proveSight(client: GitLabClient, scope: RunnerScope): Promise<void> {
  const { endpoint, query } = listingOf(scope);
  await client.raw.get(endpoint, { searchParams: { ...query, per_page: 1 } });
}
