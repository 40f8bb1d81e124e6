import type { Fleet } from './fleet.ts';
import type { Placement } from './placement.ts';
import { labelsOf } from './runner-labels.ts';
import type { GitHubRunner } from './runners.ts';

interface ClosedFleet {
  readonly fleet: Fleet;
  readonly runners: readonly GitHubRunner[];
  readonly placement: Placement;
}

/**
 * Reads how far a fleet is paused. A host may register during the pause with the labels that it
 * read before. Such a runner still has to be paused, and no operator unpaused it. Labels on a
 * runner that was already paused come from an operator.
 */
export function intakeOf({ fleet, runners, placement }: ClosedFleet): {
  paused: boolean;
  unclosed?: true;
} {
  const isOff = (one: GitHubRunner) => labelsOf(one).length === 0 && placement.isThere(one);
  if (fleet.intake === 'open') return { paused: false };
  const open = runners.filter((one) => !isOff(one));
  const paused = open.every((one) => hasRegisteredSince(fleet, one));
  return paused && open.length > 0 ? { paused, unclosed: true } : { paused };
}

/**
 * Detects a runner that registered after the pause. GitHub reports no registration time, but runner
 * ids increase. One exception keeps an older id: an ephemeral runner that replaces a listed one
 * (`--replace`). It is offline, because its host checks the fleet before it starts the runner.
 * Labels on an offline runner are no unpause by an operator.
 */
function hasRegisteredSince(
  { closedUpTo }: Fleet,
  { id, ephemeral, status, busy }: GitHubRunner,
): boolean {
  if (closedUpTo !== undefined && id > closedUpTo) return true;
  return ephemeral === true && status === 'offline' && !busy;
}

/** Returns the fleet with these runners as paused, or the same object if all were known. */
export function withPausedRunners(fleet: Fleet, runners: readonly GitHubRunner[]): Fleet {
  const newest = Math.max(fleet.closedUpTo ?? 0, ...runners.map(({ id }) => id));
  return newest === fleet.closedUpTo ? fleet : { ...fleet, closedUpTo: newest };
}

/** Returns the fleet without the marker of a pause. */
export function clearPauseMarker({ closedUpTo: _, ...fleet }: Fleet): Fleet {
  return fleet;
}
