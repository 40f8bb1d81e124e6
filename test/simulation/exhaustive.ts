import { allBeginnings, openBeginning } from './beginnings.ts';
import type { CallSite } from './call-sites.ts';
import type { Crew } from './crew.ts';
import type { Expansion, Trouble } from './explore.ts';
import type { FaultMode } from './fault-modes.ts';
import { type Node, nodeOf } from './node.ts';
import { formatScenario, parseScenario } from './scenario.ts';
import type { Answer, Task } from './tasks.ts';

export interface Exploration {
  runs: number;
  faults: number;
  rests: number;
  /** Distinct worlds from which so many more faults struck; the first number is for none. */
  readonly worlds: number[];
  readonly called: Set<CallSite>;
  readonly crashed: Set<CallSite>;
  readonly troubles: Trouble[];
}

export interface ExhaustiveOptions {
  readonly depth: number;
  readonly modes?: readonly FaultMode[];
  /** Only beginnings whose text starts so. */
  readonly only?: string;
  readonly crew: Crew<Task, Answer>;
  readonly onProgress?: (exploration: Exploration, left: number) => void;
}

/** Every schedule with so many faults, going on only from worlds that were not seen before. */
export async function exploreAll(options: ExhaustiveOptions): Promise<Exploration> {
  const { depth, modes, crew, only = '' } = options;
  const exploration: Exploration = {
    runs: 0,
    faults: 0,
    rests: 0,
    worlds: Array.from({ length: depth + 1 }, () => 0),
    called: new Set(),
    crashed: new Set(),
    troubles: [],
  };
  const explored = new Map<string, number>();
  const next = new Map<string, Edge>();
  const queue: Node[] = [];
  const enqueue = (node: Node) => {
    if ((explored.get(node.hash) ?? -1) >= node.depth) return;
    explored.set(node.hash, node.depth);
    exploration.worlds[node.depth] = (exploration.worlds[node.depth] ?? 0) + 1;
    queue.push(node);
  };
  for (const beginning of allBeginnings()) {
    if (!formatScenario({ ...beginning, faults: [] }).startsWith(only)) continue;
    const world = await openBeginning(beginning);
    enqueue(nodeOf(world, { beginning, run: 0 }, depth, []));
  }
  await drainQueue(queue, crew, modes, (expansion) => {
    take(exploration, next, expansion);
    for (const child of expansion.children) enqueue(child);
    options.onProgress?.(exploration, queue.length);
  });
  exploration.troubles.push(...neverAtRest(next));
  return exploration;
}

/** Keeps every worker busy until nothing is left and nobody can bring more. */
async function drainQueue(
  queue: Node[],
  crew: Crew<Task, Answer>,
  modes: readonly FaultMode[] | undefined,
  onExpansion: (expansion: Expansion) => void,
): Promise<void> {
  const busy = new Set<Promise<void>>();
  while (queue.length > 0 || busy.size > 0) {
    while (queue.length > 0 && busy.size < crew.size) {
      const node = queue.shift() as Node;
      const task = { kind: 'expand' as const, node, ...(modes === undefined ? {} : { modes }) };
      const work = crew.work(task).then((expansion) => {
        busy.delete(work);
        onExpansion(expansion as Expansion);
      });
      busy.add(work);
    }
    await Promise.race(busy);
  }
}

function take(into: Exploration, next: Map<string, Edge>, expansion: Expansion): void {
  into.runs += expansion.counts.runs;
  into.faults += expansion.counts.faults;
  into.rests += expansion.counts.rests;
  for (const [from, to, scenario] of expansion.next) next.set(from, { to, scenario });
  for (const site of expansion.called) into.called.add(site);
  for (const site of expansion.crashed) into.crashed.add(site);
  into.troubles.push(...expansion.troubles);
}

interface Edge {
  readonly to: string;
  readonly scenario: string;
}

/** L1, L3: without further faults every world comes to its rest. A circle is a way to nowhere. */
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
