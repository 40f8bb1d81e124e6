import type { DrainObservation } from './drain-check.ts';

/**
 * Returns the time since which `holds` is true at every check, up to the last one; the last check's
 * time if it is false there.
 */
export function streakStart(
  checks: readonly DrainObservation[],
  holds: (check: DrainObservation) => boolean,
): number {
  let since = (checks.at(-1) as DrainObservation).at;
  for (const check of checks.toReversed()) {
    if (!holds(check)) break;
    since = check.at;
  }
  return since;
}
