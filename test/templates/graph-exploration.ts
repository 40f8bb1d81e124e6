import type { Graph } from './graph.ts';
import {
  type Move,
  movesByItself,
  movesOfPeople,
  type OnJobFailure,
  type Statuses,
} from './graph-rules.ts';

export interface Roles {
  /** Jobs that must all succeed for the switch. */
  readonly switching: readonly string[];
  readonly gate?: string;
  readonly last: string;
}

interface Node {
  readonly statuses: Statuses;
  /** Whether the shard was switched and the last job has not started since. */
  readonly owed: boolean;
  readonly settled: boolean;
  /** Whether an operator cancelled the last job, by itself or with its pipeline. */
  readonly left: boolean;
  /** Previous state. */
  readonly before: Node | undefined;
  readonly move: string;
}

export interface Explored {
  readonly states: number;
  /** Violations, at most one of each kind, with the moves that lead to it. */
  readonly violations: readonly string[];
}

/**
 * Explores every state that results, cancels and retries can cause, and finds violations. It stops
 * early at the wanted one.
 */
export function explore(
  graph: Graph,
  roles: Roles,
  { sought, onJobFailure }: { readonly sought?: string; readonly onJobFailure?: OnJobFailure } = {},
): Explored {
  const start: Node = {
    statuses: Object.fromEntries(graph.map(({ name }) => [name, 'created' as const])),
    owed: false,
    settled: false,
    left: false,
    before: undefined,
    move: '',
  };
  const seen = new Set([keyOf(graph, start)]);
  const violations = new Map<string, string>();
  const open = [start];
  for (let at = 0; at < open.length; at += 1) {
    const node = open[at] as Node;
    if (sought !== undefined && violations.has(sought)) break;
    // A settled state needs no last job any more, even after a retry.
    if (node.settled) continue;
    const own = movesByItself(graph, node.statuses, onJobFailure);
    if (own.length === 0) judgeRest(node, roles, violations);
    for (const move of [...own, ...movesOfPeople(graph, node.statuses)]) {
      const next = follow(node, move, roles);
      if (move.what === 'start' && move.job === roles.last) judgeStart(next, roles, violations);
      const key = keyOf(graph, next);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return { states: seen.size, violations: [...violations].map(([what, how]) => `${what}: ${how}`) };
}

function keyOf(graph: Graph, { statuses, owed, settled, left }: Node): string {
  return `${graph.map(({ name }) => statuses[name]?.slice(0, 2)).join()}${owed}${settled}${left}`;
}

function follow(node: Node, { what, job, next }: Move, { switching, last }: Roles): Node {
  const started = what === 'start' && job === last;
  // A finished deployment is not switched again.
  const switches = what === 'end' && switching.includes(job) && isSwitched(next, switching);
  return {
    statuses: next,
    owed: started ? false : node.owed || (switches && !node.settled),
    settled: node.settled || (started && node.owed),
    left: isLeft(node, { what, job, next }, last),
    before: node,
    move: `${what} ${job} ${next[job] ?? ''}`.trim(),
  };
}

/** A cancel during the run is an operator's: GitLab never ends a job this way. */
function isLeft(node: Node, { what, next }: Move, last: string): boolean {
  if (next[last] !== 'canceled') return false;
  if (node.statuses[last] === 'canceled') return node.left;
  return what !== 'end' || node.statuses[last] === 'running';
}

function isSwitched(statuses: Statuses, switching: readonly string[]): boolean {
  return switching.every((name) => statuses[name] === 'success');
}

function judgeRest(node: Node, roles: Roles, violations: Map<string, string>): void {
  const { statuses, owed, left } = node;
  const last = statuses[roles.last];
  // After an operator's cancel of the last job, the schedule continues.
  if (owed && isSwitched(statuses, roles.switching) && !left) {
    note(violations, `${roles.last} is ${last} although the shard was switched`, node);
  }
  const others = roles.switching.filter((name) => name !== roles.gate);
  const waits = roles.gate !== undefined && statuses[roles.gate] === 'manual';
  if (waits && isSwitched(statuses, others) && last === 'skipped') {
    note(violations, `${roles.last} is skipped although ${roles.gate} may yet be pressed`, node);
  }
  const stuck = Object.entries(statuses).find(([, status]) => status === 'running');
  if (stuck !== undefined) note(violations, `${stuck[0]} never ends`, node);
}

function judgeStart(node: Node, roles: Roles, violations: Map<string, string>): void {
  if (isSwitched(node.statuses, roles.switching)) return;
  note(violations, `${roles.last} runs although the shard was not switched`, node);
}

function note(violations: Map<string, string>, what: string, node: Node): void {
  if (!violations.has(what)) violations.set(what, storyOf(node));
}

function storyOf(node: Node): string {
  const moves: string[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = at.before) moves.unshift(at.move);
  return moves.filter((move) => move !== '').join(', ');
}
