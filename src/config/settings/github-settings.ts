import type { GitHubScope, GitHubSettings } from '../../domain/settings.ts';
import { type ResolvedKeys, readKnownKey } from '../resolve.ts';

export function buildGitHub(keys: ResolvedKeys): GitHubSettings {
  const [appId, installationId] = [keys.get('github.app_id'), keys.get('github.installation_id')];
  const secretParameter = keys.get('github.secret_parameter');
  return {
    scope: buildScope(keys),
    groups: buildGroups(keys),
    ephemeral: readKnownKey(keys, 'github.ephemeral'),
    ...(appId === undefined || installationId === undefined
      ? {}
      : { app: { appId, installationId } }),
    ...(secretParameter === undefined ? {} : { secretParameter }),
  };
}

function buildGroups(keys: ResolvedKeys): GitHubSettings['groups'] {
  const production = readKnownKey(keys, 'github.runner_group');
  const quarantine = keys.get('github.quarantine_group');
  const closed = keys.get('github.closed_group');
  if (quarantine === undefined || closed === undefined) return { production };
  return { production, apart: { quarantine, closed } };
}

function buildScope(keys: ResolvedKeys): GitHubScope {
  const organization = keys.get('github.organization');
  if (organization !== undefined) return { kind: 'organization', organization };
  const enterprise = keys.get('github.enterprise');
  if (enterprise !== undefined) return { kind: 'enterprise', enterprise };
  const [owner = '', repository = ''] = readKnownKey(keys, 'github.repository').split('/');
  return { kind: 'repository', owner, repository };
}

/** `owner/name` of the canary's workflow. */
export function canaryRepository(keys: ResolvedKeys): string | undefined {
  return keys.get('canary.project') ?? keys.get('github.repository');
}
