import { formatScenario, type PlannedFault } from './beginnings/scenario.ts';
import { copyWorld } from './canonical/clone.ts';
import { type Going, nextOrder } from './continuation.ts';
import type { CallSite } from './faults/call-sites.ts';
import { isDistinguishable } from './faults/distinguishable-faults.ts';
import {
  isClassOf,
  isCovered,
  modesPlayed,
  strikeOf,
  watchingAfter,
} from './faults/fault-choice.ts';
import type { FaultMode } from './faults/fault-modes.ts';
import { isMachineMode } from './faults/machine-faults.ts';
import { type LaterCall, type SeenCall, type Watch, watchRun } from './faults/seen-calls.ts';
import { type ExploreOptions, type Node, nodeOf } from './node.ts';
import { type RunHooks, type RunOrder, type RunReport, runOnce, type Strike } from './one-run.ts';
import { awaitNext, meet } from './simulate.ts';
import { judgeRerun, judgeRest, judgeRun } from './verdict.ts';

/**
 * Limit of runs in a schedule; the longest finite one has a third of them. The limit finds loops
 * that cycle detection misses because a counter in the world grows.
 */
const mostRuns = 60;

export interface Trouble {
  readonly going: Going;
  readonly story: readonly PlannedFault[];
  readonly found: readonly string[];
}

export interface Expansion {
  readonly children: Node[];
  readonly troubles: Trouble[];
  /**
   * Edges from each world to the one after an undisturbed run; `rest` if nothing is left to do.
   */
  readonly next: [from: string, to: string, scenario: string][];
  readonly counts: Counts;
  readonly crashed: CallSite[];
}

export interface Counts {
  /** Runs of a stage, with or without a fault. */
  runs: number;
  faults: number;
  /** Faults that were skipped because a played fault has an indistinguishable effect. */
  alike: number;
  rests: number;
  /** Distinct worlds without a remaining fault. */
  ends: number;
}

/** Explores all results of one more run: undisturbed, and with each fault at each call. */
export async function expand(node: Node, options: ExploreOptions): Promise<Expansion> {
  const expansion: Expansion = {
    children: [],
    troubles: [],
    next: [],
    counts: { runs: 0, faults: 0, alike: 0, rests: 0, ends: 0 },
    crashed: [],
  };
  const pending = [node];
  // Worlds without a remaining fault are followed to their final state at once.
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    for (const child of await expandOne(one, expansion, options)) {
      if (!options.isNew(child.hash, child.depth)) continue;
      if (child.depth === 0) {
        expansion.counts.ends += 1;
        pending.push(child);
      } else expansion.children.push(child);
    }
  }
  return expansion;
}

async function expandOne(
  node: Node,
  expansion: Expansion,
  options: ExploreOptions,
): Promise<Node[]> {
  const { world, going, depth } = node;
  const order = nextOrder(world, going);
  if (order !== undefined && going.run >= mostRuns) {
    note(expansion, node, [
      `L1: not at rest after ${mostRuns} runs; the next one is ${order.command}`,
    ]);
    return [];
  }
  if (order === undefined) {
    expansion.counts.rests += 1;
    expansion.next.push([node.hash, 'rest', '']);
    note(expansion, node, await judgeRest(copyWorld(world)));
    return [];
  }
  const watch = depth > 0 ? watchRun(order, node, options) : undefined;
  const clean = await step(node, order, expansion, watch?.hooks ?? {});
  const children: Node[] = clean === undefined ? [] : [clean];
  if (clean !== undefined)
    expansion.next.push([
      node.hash,
      clean.hash,
      formatScenario({ ...going.beginning, faults: node.story }),
    ]);
  if (watch === undefined) return children;
  await watch.settled();
  children.push(...afterDeaths(node, expansion, watch, options));
  for (const call of watch.calls) {
    if (call.again !== undefined) continue;
    if (call.site !== undefined) expansion.crashed.push(call.site);
    for (const mode of modesPlayed(node, call, options)) {
      if (isDeath(mode)) continue;
      children.push(...(await strikeAt(node, order, expansion, { watch, call, mode, options })));
    }
  }
  return children;
}

function struckBy(going: Going, strike: Strike | undefined): Going {
  return strike !== undefined && isMachineMode(strike.mode) ? { ...going, struck: true } : going;
}

function isDeath(mode: FaultMode): boolean {
  return mode === 'crash_before' || mode === 'crash_after';
}

/**
 * Returns the nodes after a death at a call. Before the call, the run equals one without a fault.
 */
function afterDeaths(
  node: Node,
  expansion: Expansion,
  { calls, deaths }: Watch,
  options: ExploreOptions,
): Node[] {
  const { going, story, depth } = node;
  const wanted = deaths.filter(({ own, mode }) => {
    const call = calls[own];
    return call !== undefined && modesPlayed(node, call, options).includes(mode);
  });
  const possible = calls
    .filter(({ again }) => again === undefined)
    .flatMap((call) => modesPlayed(node, call, options));
  expansion.counts.alike += possible.filter(isDeath).length - wanted.length;
  return wanted.flatMap(({ own, mode, world }) => {
    expansion.counts.faults += 1;
    expansion.counts.runs += 1;
    const faults = [...story, { run: going.run, call: own, mode }];
    note(expansion, { going, story: faults }, [...world.violations]);
    const next: Going = { ...going, run: going.run + 1, command: undefined };
    return world.violations.length > 0 ? [] : [nodeOf(world, next, depth - 1, faults)];
  });
}

async function strikeAt(
  node: Node,
  order: RunOrder,
  expansion: Expansion,
  request: { watch: Watch; call: SeenCall; mode: FaultMode; options: ExploreOptions },
): Promise<Node[]> {
  const { watch, call, mode, options } = request;
  const strike = strikeOf(watch.calls, call, mode);
  if (strike === undefined) return [];
  if (!isDistinguishable(watch.calls, call, { mode, modes: options.modes })) {
    expansion.counts.alike += 1;
    return [];
  }
  if (isCovered(node, order, { call, mode }, options)) return [];
  if (!isClassOf(node, order, { call, mode }, options)) return [];
  expansion.counts.faults += 1;
  const later: LaterCall[] = [];
  const child = await step(node, order, expansion, {
    strike,
    ...watchingAfter(later, { call, mode }, options),
  });
  return [
    ...(child === undefined ? [] : [child]),
    ...(await crashLater(node, order, expansion, { strike, later })),
  ];
}

/** Crashes a run at a place that only its earlier fault leads to. */
async function crashLater(
  node: Node,
  order: RunOrder,
  expansion: Expansion,
  { strike, later }: { strike: Strike; later: readonly LaterCall[] },
): Promise<Node[]> {
  const children: Node[] = [];
  for (const { own, site } of later) {
    expansion.crashed.push(site);
    expansion.counts.faults += 1;
    const also: Strike = { call: own, mode: 'crash_before' };
    const child = await step(node, order, expansion, { strike, also });
    if (child !== undefined) children.push(child);
  }
  return children;
}

async function step(
  node: Node,
  order: RunOrder,
  expansion: Expansion,
  hooks: RunHooks,
): Promise<Node | undefined> {
  const { story, depth } = node;
  const { strike, also } = hooks;
  const going = struckBy(node.going, strike);
  const world = copyWorld(node.world);
  expansion.counts.runs += 1;
  const struck = [strike, also].flatMap((one) =>
    one === undefined ? [] : [{ run: going.run, call: one.call, mode: one.mode }],
  );
  const faults = [...story, ...struck];
  let report: RunReport;
  try {
    report = await runOnce(world, order, hooks);
  } catch (error) {
    note(expansion, { going, story: faults }, [`it does not end: ${String(error)}`]);
    return undefined;
  }
  const found = [
    ...judgeRun(world, report.ending),
    ...judgeRerun(going, { ending: report.ending, faulty: strike !== undefined }),
  ];
  if (found.length > 0) {
    note(expansion, { going, story: faults }, found);
    return undefined;
  }
  const { ending } = report;
  const advice = meet(world, going, ending);
  await awaitNext(world, { ending, command: advice, faulty: strike !== undefined, going });
  const next: Going = { ...going, run: going.run + 1, command: advice };
  return nodeOf(world, next, strike === undefined ? depth : depth - 1, faults);
}

function note(
  { troubles }: Expansion,
  { going, story }: Pick<Node, 'going' | 'story'>,
  found: string[],
): void {
  if (found.length > 0) troubles.push({ going, story, found });
}
