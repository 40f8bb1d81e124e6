import type { DrainObservation } from './drain-check.ts';

/** Since when it holds at each look, the last one included; the last look's own time where it does not there. */
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
