/** The oldest GitLab whose answers were read in its source; the only place that states it. */
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

/** Of `19.2.0-pre`, `17.5.1-ee`; a text that is no version is before every version. */
export function isOlderThan(text: string, { major, minor }: Version): boolean {
  const [, ofMajor, ofMinor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  if (ofMajor === undefined || ofMinor === undefined) return true;
  return Number(ofMajor) < major || (Number(ofMajor) === major && Number(ofMinor) < minor);
}
