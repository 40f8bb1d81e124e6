import type { StackSettings } from '../../src/domain/settings.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import type { Call } from '../fakes/faults/fault-wrapper.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive } from '../stages/drive.ts';
import { copyWorld } from './canonical/clone.ts';

/** Delay that exceeds the time until a command's first reads. */
const behindMs = 1500;

/**
 * Returns a terminal's options without a named deployment. The record then decides which deployment
 * the command works on.
 */
function unnamed(deploymentId: string) {
  return { ci: 'terminal', deploymentId, isUnnamed: true } as const;
}

/** Types the commands in the given world, each to its end. */
export async function typeAll(world: World, commands: readonly Command[]): Promise<void> {
  const simulation = createSimulation({ world });
  for (const [index, command] of commands.entries()) {
    const ending = await drive(simulation, command, unnamed(`terminal-${index + 1}`));
    if (ending.kind !== 'done') throw new Error(`${command} ended with: ${ending.kind}`);
  }
}

interface Order {
  readonly command: Command;
  readonly isBehind?: (call: Call) => boolean;
  readonly staleForMs?: number;
  /** Called before every read whose stale result would differ. */
  readonly onRead?: (call: Call) => void;
}

/** End of a run, without its output text. */
interface End {
  readonly text: string;
  readonly violations: readonly string[];
}

/** Types the command in a copy of the world. */
async function endIn(
  world: World,
  { command, isBehind, staleForMs = 0, onRead }: Order,
): Promise<End> {
  const copied = copyWorld(world);
  const { behaviour } = copied;
  behaviour.staleForMs = staleForMs;
  const simulation = createSimulation({
    world: copied,
    intercept(call) {
      // A stale read without an older value would apply to the next read, which is not the intended
      // one.
      behaviour.staleReads = 0;
      if (!canBeBehind(call, copied)) return undefined;
      onRead?.(call);
      return isBehind?.(call) === true ? { kind: 'stale' } : undefined;
    },
  });
  const ending = await drive(simulation, command, { ...unnamed('terminal-9'), jobId: 'typed' });
  const { record } = parametersOf(copied.stacks[0] as StackSettings);
  const deployment: { id?: string; kind?: string; candidate?: string } = deploymentOf(
    parameterValue(copied, record),
  );
  const how = ending.kind === 'error' ? ending.error.code : ending.kind;
  const { id, kind, candidate } = deployment;
  return {
    text: `${how}, ${kind} ${id} of ${candidate} ${ending.phase}`,
    violations: copied.violations,
  };
}

function canBeBehind({ port, method, args }: Call, world: World): boolean {
  // The text of a numbered version never changes.
  if (port !== 'parameters' || (method !== 'find' && method !== 'listVersions')) return false;
  const name = String(args[0]);
  const changedAt = world.parameters[name]?.versions.at(-1)?.modifiedAt ?? world.removed[name]?.at;
  return changedAt !== undefined && world.now - changedAt < world.behaviour.settledMs;
}

export interface Compared {
  /** Number of runs with a stale read. */
  readonly runs: number;
  /**
   * Stale reads, with the end, of runs that end differently than with current reads; also all
   * violations.
   */
  readonly otherwise: readonly string[];
}

/** Matches the first reads of each parameter, up to `most` of them. */
function early(most: number): (call: Call) => boolean {
  const counts = new Map<unknown, number>();
  return ({ args: [name] }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= most;
  };
}

/**
 * Compares the ends of runs: with each single stale read, with stale first reads of each parameter,
 * and with all reads stale for a while.
 */
export async function compareEnds(world: World, command: Command): Promise<Compared> {
  const reads: Call[] = [];
  const current = await endIn(world, { command, onRead: (call) => reads.push(call) });
  const orders: readonly [string, Order][] = [
    ...reads.map(({ own }, index): [string, Order] => [
      nameOf(reads, index),
      { command, isBehind: (call) => call.own === own },
    ]),
    ...[1, 2, 3].map((most): [string, Order] => [
      `the first ${most} reads of each parameter`,
      { command, isBehind: early(most) },
    ]),
    ['every read for a while', { command, staleForMs: behindMs }],
  ];
  const otherwise = current.violations.map((violation) => `no read: ${violation}`);
  for (const [what, order] of orders) {
    const { text, violations } = await endIn(world, order);
    const others = text === current.text ? violations : [text, ...violations];
    otherwise.push(...others.map((other) => `${what}: ${other}`));
  }
  return { runs: orders.length, otherwise };
}

/** Names a read, e.g. `read 2 of deployment_status`. */
function nameOf(reads: readonly Call[], index: number): string {
  const name = String(reads[index]?.args[0]);
  const count = reads.slice(0, index + 1).filter(({ args }) => args[0] === name).length;
  return `read ${count} of ${name.replace(/^.*\/linux\//, '')}`;
}
