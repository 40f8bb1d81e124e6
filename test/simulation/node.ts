import type { World } from '../fakes/world/world.ts';
import type { PlannedFault } from './beginnings/scenario.ts';
import { unseenIn } from './beginnings/variants.ts';
import { canonicalHash } from './canonical/canonical.ts';
import type { CallSite } from './faults/call-sites.ts';
import type { FaultMode } from './faults/fault-modes.ts';
import type { Going } from './going-on.ts';
import type { RunOrder } from './one-run.ts';

/** A world from which something is run next, and so many faults that may still strike. */
export interface Node {
  readonly world: World;
  readonly going: Going;
  readonly depth: number;
  /** The faults that led here. */
  readonly story: readonly PlannedFault[];
  readonly hash: string;
}

export interface ExploreOptions {
  readonly modes?: readonly FaultMode[];
  /** Runs after the one that goes on with the beginning: faults other than deaths once at each place. */
  readonly brief?: boolean;
  /** What happens to machines is played, at one in so many calls; with it one other fault at most. */
  readonly machinesOneIn?: number;
  readonly findSite: (label: string) => CallSite | undefined;
  /** Notes a world, or a call in one, with the depth that it is explored at; false where it has been. */
  readonly isNew: (hash: string, depth: number) => boolean;
}

export function nodeOf(
  world: World,
  going: Going,
  depth: number,
  story: readonly PlannedFault[],
): Node {
  const hash = `${canonicalHash(world)} ${suffixOf(going)}${unseenIn(going.beginning.variant)}`;
  return { world, going, depth, story, hash };
}

/** What decides beside the world what is run next, and what is expected of it. */
function suffixOf({ beginning, told, run, struck }: Going): string {
  const { record, first = '' } = beginning;
  const begins = run === 0 ? `${record} ${first}` : '';
  return `${told ?? ''}/${begins}/${record === 'edited' ? 'edited' : ''}${struck === true ? 'struck' : ''}`;
}

/** What decides beside the world what a run does, and what is expected of it. */
export function runKey({ command, deploymentId }: RunOrder, { beginning }: Going): string {
  const { record, variant } = beginning;
  return `${command} of ${deploymentId} ${unseenIn(variant)} ${record === 'edited' ? 'edited' : ''}`;
}
