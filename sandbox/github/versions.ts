/** Newest supported version. */
export const livingVersion = '2.337.0';

/**
 * Date from which GitHub gives a version no job, as its API returned on 2026-09-29. Null without a
 * date. Every other version returns 404.
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
