import type { CallSite } from './call-sites.ts';
import { copyWorld } from './clone.ts';
import { modesOf } from './fault-modes.ts';
import { type Going, nextOrder } from './going-on.ts';
import { type ExploreOptions, type Node, nodeOf } from './node.ts';
import { type RunHooks, type RunOrder, type RunReport, runOnce, type Strike } from './one-run.ts';
import { formatScenario, type PlannedFault } from './scenario.ts';
import { judgeRerun, meet } from './simulate.ts';
import { isClassOf, type SeenCall, strikeOf, watching, watchingAfter } from './strikes.ts';
import { judgeRest, judgeRun } from './verdict.ts';

export interface Trouble {
  readonly going: Going;
  readonly story: readonly PlannedFault[];
  readonly found: readonly string[];
}

export interface Expansion {
  readonly children: Node[];
  readonly troubles: Trouble[];
  /** From each world to the one after a run without a fault; `rest` where nothing is left to do. */
  readonly next: [from: string, to: string, scenario: string][];
  readonly counts: Counts;
  readonly crashed: CallSite[];
  readonly called: CallSite[];
}

export interface Counts {
  /** Runs of a stage, with a fault or without. */
  runs: number;
  faults: number;
  rests: number;
}

/** Everything that one more run can lead to: undisturbed, and with each fault at each of its calls. */
export async function expand(node: Node, options: ExploreOptions): Promise<Expansion> {
  const expansion: Expansion = {
    children: [],
    troubles: [],
    next: [],
    counts: { runs: 0, faults: 0, rests: 0 },
    crashed: [],
    called: [],
  };
  const pending = [node];
  // Worlds in which nothing can strike any more are followed to their rest at once.
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    for (const child of await expandOne(one, expansion, options)) {
      if (!options.isNew(child.hash, child.depth)) continue;
      if (child.depth === 0) pending.push(child);
      else expansion.children.push(child);
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
  if (order === undefined) {
    expansion.counts.rests += 1;
    expansion.next.push([node.hash, 'rest', '']);
    note(expansion, node, await judgeRest(copyWorld(world)));
    return [];
  }
  const calls: SeenCall[] = [];
  const clean = await step(
    node,
    order,
    expansion,
    depth > 0 ? watching(calls, order, node, options) : {},
  );
  const children: Node[] = clean === undefined ? [] : [clean];
  if (clean !== undefined)
    expansion.next.push([
      node.hash,
      clean.hash,
      formatScenario({ ...going.beginning, faults: node.story }),
    ]);
  if (depth === 0) return children;
  for (const call of calls) {
    if (call.site !== undefined) expansion.called.push(call.site);
    if (call.again) continue;
    for (const mode of modesOf(call)) {
      if (options.modes !== undefined && !options.modes.includes(mode)) continue;
      const strike = strikeOf(calls, call, mode);
      if (strike === undefined || !isClassOf(node, order, { call, mode }, options)) continue;
      expansion.counts.faults += 1;
      if (mode.startsWith('crash') && call.site !== undefined) expansion.crashed.push(call.site);
      const later: SeenCall[] = [];
      const child = await step(node, order, expansion, {
        strike,
        ...watchingAfter(later, { call, mode }, order, options),
      });
      if (child !== undefined) children.push(child);
      children.push(...(await crashLater(node, order, expansion, { strike, later })));
    }
  }
  return children;
}

/** A death in the same run, where the fault has led it. */
async function crashLater(
  node: Node,
  order: RunOrder,
  expansion: Expansion,
  { strike, later }: { strike: Strike; later: readonly SeenCall[] },
): Promise<Node[]> {
  const children: Node[] = [];
  for (const { own, site } of later) {
    if (site === undefined) continue;
    expansion.called.push(site);
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
  const { going, story, depth } = node;
  const { strike, also } = hooks;
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
  const told = meet(world, going, report.ending);
  const next: Going = { beginning: going.beginning, run: going.run + 1, told };
  return nodeOf(world, next, strike === undefined ? depth : depth - 1, faults);
}

function note(
  { troubles }: Expansion,
  { going, story }: Pick<Node, 'going' | 'story'>,
  found: string[],
): void {
  if (found.length > 0) troubles.push({ going, story, found });
}
