import type { Graph } from './graph.ts';
import type { Explored } from './graph-exploration.ts';
import { type Move, movesByItself, movesOfPeople, type Statuses } from './graph-rules.ts';

/**
 * Order in which waiting jobs get a free resource group: any, or with `oldest_first` the oldest
 * pipeline's. Its jobs count from their creation, even behind a missing approval.
 */
export type ProcessMode = 'unordered' | 'oldest_first';

interface Pair {
  readonly older: Statuses;
  readonly newer: Statuses;
}

/** Explores two pipelines of one stack. Users start, cancel and retry jobs of the older one. */
export function explorePair(graph: Graph, mode: ProcessMode): Explored {
  const fresh = Object.fromEntries(graph.map(({ name }) => [name, 'created' as const]));
  const open: Pair[] = [{ older: fresh, newer: fresh }];
  const seen = new Set(open.map(keyOf));
  const violations = new Set<string>();
  for (let at = 0; at < open.length; at += 1) {
    const pair = open[at] as Pair;
    if (runningIn(graph, pair.older) + runningIn(graph, pair.newer) > 1)
      violations.add('two jobs of the group run at once');
    const own = [...movesOf(graph, pair, 'older', mode), ...movesOf(graph, pair, 'newer', mode)];
    if (own.length === 0) judgeRest(graph, pair, violations);
    for (const next of [...own, ...pressesOf(graph, pair)]) {
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return { states: seen.size, violations: [...violations] };
}

function movesOf(graph: Graph, pair: Pair, whose: keyof Pair, mode: ProcessMode): Pair[] {
  const other = pair[whose === 'older' ? 'newer' : 'older'];
  const isFree = runningIn(graph, other) === 0;
  const isCandidate =
    mode === 'unordered' || whose === 'older' || !Object.values(pair.older).includes('created');
  return movesByItself(graph, pair[whose])
    .filter(({ what }) => what !== 'start' || (isFree && isCandidate))
    .filter(isRelevant)
    .map(({ next }) => ({ ...pair, [whose]: next }));
}

/**
 * The exploration of one pipeline already covers the difference between a job's cancel and its
 * failure.
 */
function isRelevant({ what, job, next }: Move): boolean {
  return what !== 'end' || next[job] !== 'canceled';
}

function pressesOf(graph: Graph, pair: Pair): Pair[] {
  return (
    movesOfPeople(graph, pair.older)
      .filter(({ what }) => what === 'play' || what === 'cancel_all')
      // The group starts a waiting job, not the button.
      .filter(({ what }) => what !== 'play' || runningIn(graph, pair.newer) === 0)
      .map(({ next }) => ({ ...pair, older: next }))
  );
}

/** Checks that no job of a final state waits for a free group. */
function judgeRest(graph: Graph, { newer }: Pair, violations: Set<string>): void {
  const waiting = graph.find(({ name }) => newer[name] === 'created');
  const gated = Object.values(newer).includes('manual');
  if (waiting !== undefined && !gated)
    violations.add(`${waiting.name} of the newer pipeline waits for a press of the older one`);
}

function runningIn(graph: Graph, statuses: Statuses): number {
  return graph.filter(
    ({ name, resourceGroup }) => resourceGroup !== undefined && statuses[name] === 'running',
  ).length;
}

function keyOf({ older, newer }: Pair): string {
  return [...Object.values(older), '', ...Object.values(newer)]
    .map((status) => status.slice(0, 2))
    .join();
}
