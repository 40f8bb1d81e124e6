/** The newest that lives. */
export const livingVersion = '2.337.0';

/**
 * From when on GitHub gives a version no job, as its API said on 2026-09-29; null where no day is named.
 * Every other version is a 404.
 */
export const versionEnds: ReadonlyMap<string, string | null> = new Map([
  ['2.335.0', '2026-08-14T00:00:00Z'],
  ['2.335.1', '2026-09-24T00:00:00Z'],
  ['2.336.0', '2026-11-05T00:00:00Z'],
  [livingVersion, null],
]);

export function hasEnded(version: string, nowMs: number): boolean {
  const ends = versionEnds.get(version);
  return typeof ends === 'string' && nowMs >= Date.parse(ends);
}
