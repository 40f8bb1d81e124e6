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
 * How far a fleet is closed. A host may register in the very moment, with the labels that it had read
 * before: such a runner is still to be closed, and is nobody's opening. Labels on one that was closed are a
 * person's.
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
 * GitHub does not say when, but its numbers go up. Only an ephemeral runner that takes the place of one that
 * has left and is listed still (`--replace`) has that one's number; it is offline, as its host looks at
 * the fleet once more before it starts it. Nobody opens anything with labels on a runner that is away.
 */
function hasRegisteredSince(
  { closedUpTo }: Fleet,
  { id, ephemeral, status, busy }: GitHubRunner,
): boolean {
  if (closedUpTo !== undefined && id > closedUpTo) return true;
  return ephemeral === true && status === 'offline' && !busy;
}

/** The same fleet once these are closed; unchanged where they were all known. */
export function withPausedRunners(fleet: Fleet, runners: readonly GitHubRunner[]): Fleet {
  const newest = Math.max(fleet.closedUpTo ?? 0, ...runners.map(({ id }) => id));
  return newest === fleet.closedUpTo ? fleet : { ...fleet, closedUpTo: newest };
}

/** What was closed is so no more. */
export function openedAgain({ closedUpTo: _, ...fleet }: Fleet): Fleet {
  return fleet;
}
