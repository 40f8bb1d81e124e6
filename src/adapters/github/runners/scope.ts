import type { GitHubScope } from '../../../domain/settings.ts';
import { type RegistrationId, type StackShard, shardDescription } from '../../../domain/shard.ts';

/**
 * Pattern of the instance in a runner's name: `pink-linux-i-0123456789abcdef0`, with `-2` for a
 * second runner on it. `pink-linux-large-i-…` belongs to another stack, although its name has the
 * same prefix.
 */
const instancePart = /^i-[0-9a-f]{8,17}(?:-\d{1,3})?$/;

export function isRunnerOf(name: string, id: RegistrationId): boolean {
  const prefix = `${id}-`;
  return name.startsWith(prefix) && instancePart.test(name.slice(prefix.length));
}

/** Returns the shard that a runner's name belongs to, as `registrationOf` writes it. */
export function registrationFrom(name: string): RegistrationId | undefined {
  const [, owner] = /^(.+)-i-[0-9a-f]{8,17}(?:-\d{1,3})?$/.exec(name) ?? [];
  return owner as RegistrationId | undefined;
}

/** Returns the instance in a runner's name. */
export function hostOf(name: string): string | undefined {
  return /-(i-[0-9a-f]{8,17})(?:-\d{1,3})?$/.exec(name)?.[1];
}

/** Returns the shard's name as its id, because GitHub has no record of a shard. */
export function registrationOf(shard: StackShard): RegistrationId {
  return shardDescription(shard) as RegistrationId;
}

/** Returns the API path of a scope's runners. */
export function runnersPath(scope: GitHubScope): string {
  switch (scope.kind) {
    case 'repository':
      return `/repos/${scope.owner}/${scope.repository}/actions/runners`;
    case 'organization':
      return `/orgs/${scope.organization}/actions/runners`;
    case 'enterprise':
      return `/enterprises/${scope.enterprise}/actions/runners`;
  }
}

/** Returns the API path of a scope's runner groups. A repository has none. */
export function groupsPath(scope: GitHubScope): string {
  return runnersPath(scope).replace(/\/runners$/, '/runner-groups');
}

export function describeScope(scope: GitHubScope): string {
  switch (scope.kind) {
    case 'repository':
      return `repository ${scope.owner}/${scope.repository}`;
    case 'organization':
      return `organization ${scope.organization}`;
    case 'enterprise':
      return `enterprise ${scope.enterprise}`;
  }
}
