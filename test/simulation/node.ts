import type { World } from '../fakes/world/world.ts';
import type { PlannedFault } from './beginnings/scenario.ts';
import { unseenIn } from './beginnings/variants.ts';
import { canonicalHash } from './canonical/canonical.ts';
import type { Going } from './continuation.ts';
import type { CallSite } from './faults/call-sites.ts';
import type { FaultMode } from './faults/fault-modes.ts';
import type { RunOrder } from './one-run.ts';

/** World for the next run, with the number of faults that may still strike. */
export interface Node {
  readonly world: World;
  readonly going: Going;
  readonly depth: number;
  /** Faults that led to this world. */
  readonly story: readonly PlannedFault[];
  readonly hash: string;
}

export interface ExploreOptions {
  readonly modes?: readonly FaultMode[];
  /** Whether runs after the first strike faults other than deaths only once at each place. */
  readonly brief?: boolean;
  /** Sampling rate for faults of machines, with at most one other fault in a schedule. */
  readonly machinesOneIn?: number;
  readonly findSite: (label: string) => CallSite | undefined;
  /** Records a world, or a call in it, with its depth. Returns false if it was explored before. */
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

/** Returns the parts besides the world that decide the next run and its expected result. */
function suffixOf({ beginning, command: advice, run, struck }: Going): string {
  const { record, first = '' } = beginning;
  const begins = run === 0 ? `${record} ${first}` : '';
  return `${advice ?? ''}/${begins}/${record === 'edited' ? 'edited' : ''}${struck === true ? 'struck' : ''}`;
}

/** Returns the parts besides the world that decide a run's behaviour and its expected result. */
export function runKey({ command, deploymentId }: RunOrder, { beginning }: Going): string {
  const { record, variant } = beginning;
  return `${command} of ${deploymentId} ${unseenIn(variant)} ${record === 'edited' ? 'edited' : ''}`;
}
