import type { GitHubScope } from '../../../domain/settings.ts';
import { type RegistrationId, type StackShard, shardDescription } from '../../../domain/shard.ts';

/**
 * A runner is named after its shard and its instance: `pink-linux-i-0123456789abcdef0`, with `-2` for
 * a second one there. `pink-linux-large-i-…` is another stack's, though its name begins with ours.
 */
const instancePart = /^i-[0-9a-f]{8,17}(?:-\d{1,3})?$/;

export function isRunnerOf(name: string, id: RegistrationId): boolean {
  const prefix = `${id}-`;
  return name.startsWith(prefix) && instancePart.test(name.slice(prefix.length));
}

/** The shard that a runner belongs to by its name, as `registrationOf` writes it. */
export function registrationFrom(name: string): RegistrationId | undefined {
  const [, owner] = /^(.+)-i-[0-9a-f]{8,17}(?:-\d{1,3})?$/.exec(name) ?? [];
  return owner as RegistrationId | undefined;
}

/** The instance that a runner is named after. */
export function hostOf(name: string): string | undefined {
  return /-(i-[0-9a-f]{8,17})(?:-\d{1,3})?$/.exec(name)?.[1];
}

/** GitHub has no record of a shard, so its name is the id. */
export function registrationOf(shard: StackShard): RegistrationId {
  return shardDescription(shard) as RegistrationId;
}

/** Where the runners of a scope are, below the API's address. */
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

/** Where the groups of runners are; a repository has none. */
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
