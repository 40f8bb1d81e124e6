import type { Call } from '../fakes/seam.ts';
import type { World } from '../fakes/world.ts';
import type { CallSite } from './call-sites.ts';
import { canonicalHash } from './canonical.ts';
import { copyWorld } from './clone.ts';
import { type FaultMode, modesOf } from './fault-modes.ts';
import { type Going, nextOrder } from './going-on.ts';
import { type RunHooks, type RunOrder, type RunReport, runOnce, type Strike } from './one-run.ts';
import type { PlannedFault } from './scenario.ts';
import { judgeRerun, meet } from './simulate.ts';
import { judgeRest, judgeRun } from './verdict.ts';

/** A world from which something is run next, and so many faults that may still strike. */
export interface Node {
  readonly world: World;
  readonly going: Going;
  readonly depth: number;
  /** The faults that led here. */
  readonly story: readonly PlannedFault[];
  readonly hash: string;
}

export interface Trouble {
  readonly going: Going;
  readonly story: readonly PlannedFault[];
  readonly found: readonly string[];
}

export interface Expansion {
  readonly children: Node[];
  readonly troubles: Trouble[];
  /** From each world to the one after a run without a fault; `rest` where nothing is left to do. */
  readonly next: [string, string][];
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

export interface ExploreOptions {
  readonly modes?: readonly FaultMode[];
  readonly findSite: (label: string) => CallSite | undefined;
  /** Notes a world, or a call in one, with the depth that it is explored at; false where it has been. */
  readonly isNew: (hash: string, depth: number) => boolean;
}

interface SeenCall extends Pick<Call, 'own' | 'port' | 'effect'> {
  readonly site: CallSite | undefined;
  /** Struck already, here or in another run. */
  readonly again: boolean;
}

const furtherClasses: ReadonlySet<FaultMode> = new Set([
  'unreachable',
  'throttled',
  'unauthenticated',
  'denied',
  'refused',
  'unexpected',
]);

/** A loop that asks the same again and again is struck at its first two rounds in each world. */
const roundsOfALoop = 2;

export function nodeOf(
  world: World,
  going: Going,
  depth: number,
  story: readonly PlannedFault[],
): Node {
  return { world, going, depth, story, hash: `${canonicalHash(world)} ${suffixOf(going)}` };
}

/** What decides beside the world what is run next, and what is expected of it. */
function suffixOf({ beginning, told, run }: Going): string {
  const { record, first = '' } = beginning;
  const begins = run === 0 ? `${record} ${first}` : '';
  return `${told ?? ''}/${begins}/${record === 'edited' ? 'edited' : ''}`;
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
    expansion.next.push([node.hash, 'rest']);
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
  if (clean !== undefined) expansion.next.push([node.hash, clean.hash]);
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
      const child = await step(node, order, expansion, { strike });
      if (child !== undefined) children.push(child);
    }
  }
  return children;
}

/** Two runs at the same call of the same place, in the same world, are taken for one. */
function watching(calls: SeenCall[], { command }: RunOrder, node: Node, options: ExploreOptions) {
  const rounds = new Map<string, number>();
  return {
    onCall({ own, port, method, args, effect }: Call, world: World) {
      const site = options.findSite(`${port}.${method}`);
      const about = typeof args[0] === 'string' && args[0].startsWith('/') ? args[0] : '';
      const key = `${command} ${site} ${about} ${canonicalHash(world)}`;
      const round = (rounds.get(key) ?? 0) + 1;
      rounds.set(key, round);
      const again =
        round > roundsOfALoop ||
        !options.isNew(`${key} ${round} ${suffixOf(node.going)}`, node.depth);
      calls.push({ own, port, effect, site, again });
    },
  };
}

/**
 * What a status means is decided where it is asked, so each class of status strikes each call site
 * once for each kind of beginning; in further worlds one class stands for the others.
 */
function isClassOf(
  { going, depth }: Node,
  { command }: RunOrder,
  { call, mode }: { call: SeenCall; mode: FaultMode },
  { isNew }: ExploreOptions,
): boolean {
  if (!furtherClasses.has(mode) || call.site === undefined) return true;
  const { active, record } = going.beginning;
  return isNew(`class ${command} ${call.site} ${mode} ${active} ${record}`, depth);
}

/** A read can be behind only where something was changed before it. */
function strikeOf(
  calls: readonly SeenCall[],
  { own }: SeenCall,
  mode: FaultMode,
): Strike | undefined {
  if (mode !== 'stale') return { call: own, mode };
  const last = calls.slice(0, own).findLast(({ effect }) => effect);
  return last === undefined ? undefined : { call: own, mode, staleSince: last.own };
}

async function step(
  node: Node,
  order: RunOrder,
  expansion: Expansion,
  hooks: RunHooks,
): Promise<Node | undefined> {
  const { going, story, depth } = node;
  const { strike } = hooks;
  const world = copyWorld(node.world);
  expansion.counts.runs += 1;
  const faults =
    strike === undefined
      ? story
      : [...story, { run: going.run, call: strike.call, mode: strike.mode }];
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
