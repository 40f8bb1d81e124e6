/**
 * Oldest supported GitLab: its responses were read in its source. This is the only place that
 * states it.
 */
export const oldestGitLab: Version = { major: 17, minor: 5 };

export function describeVersion({ major, minor }: Version): string {
  return `${major}.${minor}`;
}

export function isVersion(text: string): boolean {
  return /^\d+\.\d+/.test(text);
}

export interface Version {
  readonly major: number;
  readonly minor: number;
}

/**
 * Compares a version such as `19.2.0-pre` or `17.5.1-ee`. An unreadable text counts as older than
 * every version.
 */
export function isOlderThan(text: string, { major, minor }: Version): boolean {
  const [, ofMajor, ofMinor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  if (ofMajor === undefined || ofMinor === undefined) return true;
  return Number(ofMajor) < major || (Number(ofMajor) === major && Number(ofMinor) < minor);
}
