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

/** What GitHub has said of a version holds for as long as a run takes; what it has not is asked again. */
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
 * github.com ends versions since autumn 2026. An Enterprise Server does not and has no such answer; a
 * version that is not known is a 404, too. Neither is taken for a version that lives.
 * https://docs.github.com/rest/actions/self-hosted-runners
 */
async function readExpiry(
  client: GitHubClient,
  scope: GitHubScope,
  version: string,
): Promise<VersionExpiry> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return { kind: 'unknown', detail: 'the version is no version of a release' };
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
