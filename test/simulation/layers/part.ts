import { openBeginning } from '../beginnings/beginnings.ts';
import { type Beginning, parseScenario } from '../beginnings/scenario.ts';
import { isChosen } from '../chance.ts';
import { type Counts, expand, type Trouble } from '../explore.ts';
import type { CallSite } from '../faults/call-sites.ts';
import type { FaultMode } from '../faults/fault-modes.ts';
import { type Node, nodeOf } from '../node.ts';

export interface PartRequest {
  readonly beginnings: readonly Beginning[];
  readonly depth: number;
  readonly modes?: readonly FaultMode[];
  readonly brief?: boolean;
  /** Sampling rate for faults of machines: one call in this many. */
  readonly machinesOneIn?: number;
  /** Sampling rate for a further fault: one struck world in this many. All worlds if absent. */
  readonly oneIn?: number;
}

/** Result of the exploration of some beginnings. */
export interface Explored {
  readonly counts: Counts;
  readonly worlds: readonly number[];
  readonly crashed: readonly CallSite[];
  readonly troubles: readonly Trouble[];
}

interface Edge {
  readonly to: string;
  readonly scenario: string;
}

/** Explores everything that up to `depth` faults can cause from some beginnings, in one thread. */
export async function explorePart(
  { beginnings, depth, modes, brief = false, oneIn = 1, machinesOneIn }: PartRequest,
  findSite: (label: string) => CallSite | undefined,
): Promise<Explored> {
  const explored = new Map<string, number>();
  const isNew = (hash: string, left: number) => {
    if ((explored.get(hash) ?? -1) >= left) return false;
    explored.set(hash, left);
    return true;
  };
  const chosen = modes === undefined ? {} : { modes };
  const machines = machinesOneIn === undefined ? {} : { machinesOneIn };
  const options = { findSite, isNew, brief, ...machines, ...chosen };
  const worlds = Array.from({ length: depth + 1 }, () => 0);
  const counts: Counts = { runs: 0, faults: 0, alike: 0, rests: 0, ends: 0 };
  const crashed = new Set<CallSite>();
  const edges = new Map<string, Edge>();
  const troubles: Trouble[] = [];
  const queue: Node[] = [];
  for (const beginning of beginnings) {
    const node = nodeOf(await openBeginning(beginning), { beginning, run: 0 }, depth, []);
    if (isNew(node.hash, depth)) queue.push(node);
  }
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const node = isStruckAgain(next, oneIn) ? next : { ...next, depth: 0 };
    worlds[node.depth] = (worlds[node.depth] ?? 0) + 1;
    const expansion = await expand(node, options);
    add(counts, expansion.counts);
    for (const [from, to, scenario] of expansion.next) edges.set(from, { to, scenario });
    for (const site of expansion.crashed) crashed.add(site);
    troubles.push(...expansion.troubles);
    queue.push(...expansion.children);
  }
  worlds[0] = counts.ends;
  troubles.push(...neverAtRest(edges));
  return { counts, worlds, crashed: [...crashed], troubles };
}

/** Decides by the world's hash, for the same result in every thread. */
function isStruckAgain({ story, depth, hash }: Node, oneIn: number): boolean {
  return depth === 0 || story.length === 0 || isChosen(hash, oneIn);
}

function add(to: Counts, { runs, faults, alike, rests, ends }: Counts): void {
  to.runs += runs;
  to.faults += faults;
  to.alike += alike;
  to.rests += rests;
  to.ends += ends;
}

/**
 * L1, L3: finds worlds that reach no final state without further faults. A cycle of worlds never
 * ends.
 */
function neverAtRest(next: ReadonlyMap<string, Edge>): Trouble[] {
  const good = new Set(['rest']);
  const found: Trouble[] = [];
  for (const [start, { scenario }] of next) {
    const path = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !good.has(at) && !path.has(at)) {
      path.add(at);
      at = next.get(at)?.to;
    }
    if (at !== undefined && path.has(at)) {
      const { faults, ...beginning } = parseScenario(scenario);
      const circle = `L1: running again for ever comes back to world ${at}`;
      found.push({ going: { beginning, run: 0 }, story: faults, found: [circle] });
    }
    for (const one of path) good.add(one);
  }
  return found;
}
