import { z } from 'zod';
import type { VersionExpiry } from '../../../domain/health/version-expiry.ts';
import type { GitHubScope } from '../../../domain/settings.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { readShape } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { originOf } from '../origin.ts';
import { runnersPath } from './scope.ts';

export const deprecation = z.object({ runtime_deprecates_at: printableName.nullish() });

/**
 * Reads the expiry of runner versions. A known expiry is cached for the run; an unknown one is
 * queried again.
 */
export function createVersionExpiry(
  client: GitHubClient,
  scope: GitHubScope,
): (version: string) => Promise<VersionExpiry> {
  const known = new Map<string, VersionExpiry>();
  return async (version) => {
    const ending = known.get(version) ?? (await readExpiry(client, scope, version));
    if (ending.kind !== 'unknown') known.set(version, ending);
    return ending;
  };
}

/**
 * Reads the expiry of a version. github.com has retired versions since autumn 2026. An Enterprise
 * Server does not and lacks this route. An unknown version also returns 404. Neither proves that a
 * version is supported.
 * https://docs.github.com/rest/actions/self-hosted-runners
 */
async function readExpiry(
  client: GitHubClient,
  scope: GitHubScope,
  version: string,
): Promise<VersionExpiry> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return { kind: 'unknown', detail: 'the version is not a release version' };
  }
  try {
    const route = `GET ${runnersPath(scope)}/deprecations/{version}`;
    const answer = await client.request(route, { version });
    const origin = originOf(client, answer);
    const { runtime_deprecates_at: at } = readShape(deprecation, answer.data, origin);
    return at ? { kind: 'ends', at } : { kind: 'none' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { kind: 'unknown', detail: error.message };
  }
}
