/** Version such as `17.5`, compared by its numbers. */
export type GitLabVersion = `${number}.${number}`;

/**
 * Oldest supported version, both sides of each change for components, and the newest known one.
 */
export const gitlabVersions = ['17.5', '17.11', '18.0', '18.1', '18.6', '18.9', '19.3'] as const;
export const oldestGitLab: GitLabVersion = '17.5';
export const newestGitLab: GitLabVersion = '19.3';

export function isBefore(one: GitLabVersion, other: GitLabVersion): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}
