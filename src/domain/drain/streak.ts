import type { DrainObservation } from './drain-check.ts';

/**
 * Returns the time since which `holds` is true at every check, up to the last one; the last check's
 * time if it is false there.
 */
export function streakStart(
  looks: readonly DrainObservation[],
  holds: (look: DrainObservation) => boolean,
): number {
  let since = (looks.at(-1) as DrainObservation).at;
  for (const look of looks.toReversed()) {
    if (!holds(look)) break;
    since = look.at;
  }
  return since;
}
