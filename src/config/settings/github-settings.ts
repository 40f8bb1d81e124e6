import type { SettingsOf } from '../../domain/keys/key.ts';
import type { githubKeys } from '../../domain/keys/sections/github-keys.ts';
import type { GitHubScope, GitHubSettings } from '../../domain/settings.ts';
import type { ResolvedKeys } from '../resolve.ts';

type Given = SettingsOf<typeof githubKeys>;

export function buildGitHub(given: Given): GitHubSettings {
  const { ephemeral, secretParameter, appId, installationId } = given;
  return {
    scope: buildScope(given),
    groups: buildGroups(given),
    ephemeral,
    ...(appId === undefined || installationId === undefined
      ? {}
      : { app: { appId, installationId } }),
    ...(secretParameter === undefined ? {} : { secretParameter }),
  };
}

function buildGroups(given: Given): GitHubSettings['groups'] {
  const { runnerGroup: production, quarantineGroup: quarantine, closedGroup: closed } = given;
  if (quarantine === undefined || closed === undefined) return { production };
  return { production, apart: { quarantine, closed } };
}

function buildScope({ organization, enterprise, repository: path = '' }: Given): GitHubScope {
  if (organization !== undefined) return { kind: 'organization', organization };
  if (enterprise !== undefined) return { kind: 'enterprise', enterprise };
  const [owner = '', repository = ''] = path.split('/');
  return { kind: 'repository', owner, repository };
}

/** Returns `owner/name` of the canary's repository. */
export function canaryRepository(keys: ResolvedKeys): string | undefined {
  return keys.get('canary.project') ?? keys.get('github.repository');
}
