import type { GitHubScope } from '../../domain/settings.ts';

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

/** What `config.sh --url` of a runner takes. */
export function runnersUrl(scope: GitHubScope, webUrl: string): string {
  switch (scope.kind) {
    case 'repository':
      return `${webUrl}/${scope.owner}/${scope.repository}`;
    case 'organization':
      return `${webUrl}/${scope.organization}`;
    case 'enterprise':
      return `${webUrl}/enterprises/${scope.enterprise}`;
  }
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
