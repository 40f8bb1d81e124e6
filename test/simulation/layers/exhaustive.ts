import { sampleOf } from '../../support/sample.ts';
import { allBeginnings } from '../beginnings/beginnings.ts';
import { type Beginning, formatScenario } from '../beginnings/scenario.ts';
import { behaving, unseenIn } from '../beginnings/variants.ts';
import { isTroubled } from '../continuation.ts';
import type { Trouble } from '../explore.ts';
import type { CallSite } from '../faults/call-sites.ts';
import type { FaultMode } from '../faults/fault-modes.ts';
import type { Explored } from './part.ts';
import type { Answer, Task } from './tasks.ts';
import type { Workers } from './worker-pool.ts';

export interface Exploration {
  runs: number;
  faults: number;
  alike: number;
  rests: number;
  /** Distinct worlds by the number of further faults that struck. The first number is for none. */
  readonly worlds: number[];
  readonly crashed: Set<CallSite>;
  readonly troubles: Trouble[];
}

export interface ExhaustiveOptions {
  readonly depth: number;
  readonly modes?: readonly FaultMode[];
  /**
   * Whether faults other than deaths strike each place only once in runs that no longer depend on
   * the beginning.
   */
  readonly brief?: boolean;
  /** Sampling rate for faults of machines: one call in this many. */
  readonly machinesOneIn?: number;
  /** Sampling rate for a further fault: one struck world in this many. */
  readonly oneIn?: number;
  /** Prefix of the beginnings to explore. */
  readonly only?: string;
  /**
   * Whether to take a sample of the beginnings, chosen by ONE_IN and SAMPLE_SEED
   * (scripts/jest/share.js).
   */
  readonly sample?: boolean;
  readonly workers: Workers<Task, Answer>;
  readonly onPart?: (name: string, explored: Explored) => void;
}

/**
 * Explores every schedule with up to `depth` faults. It continues only from worlds that are new.
 */
export async function exploreAll(options: ExhaustiveOptions): Promise<Exploration> {
  const {
    depth,
    modes,
    workers,
    brief = false,
    oneIn = 1,
    machinesOneIn,
    only = '',
    sample = false,
    onPart,
  } = options;
  const exploration: Exploration = {
    runs: 0,
    faults: 0,
    alike: 0,
    rests: 0,
    worlds: Array.from({ length: depth + 1 }, () => 0),
    crashed: new Set(),
    troubles: [],
  };
  const named = allBeginnings().filter((beginning) => nameOf(beginning).startsWith(only));
  const chosen = (sample ? sampleOf(named, nameOf) : named).filter(
    (beginning) => machinesOneIn === undefined || isStruckByMachines(beginning),
  );
  await Promise.all(
    partsOf(chosen).map(async ([name, beginnings]) => {
      const some = {
        ...(modes === undefined ? {} : { modes }),
        ...(machinesOneIn === undefined ? {} : { machinesOneIn }),
      };
      const task: Task = { kind: 'explore', beginnings, depth, brief, oneIn, ...some };
      const explored = (await workers.work(task)) as Explored;
      take(exploration, explored);
      onPart?.(name, explored);
    }),
  );
  return exploration;
}

function nameOf(beginning: Beginning): string {
  return formatScenario({ ...beginning, faults: [] });
}

/**
 * Decides whether machine faults strike a beginning. Beginnings whose machines end by themselves
 * are excluded. For fleets of GitHub runners, operators end hanging machines, which the simulation
 * does not play.
 */
function isStruckByMachines(beginning: Beginning): boolean {
  const { variant } = beginning;
  const runners = variant === undefined ? undefined : behaving(variant).runners;
  return !isTroubled({ beginning }) && runners === undefined;
}

/**
 * Groups beginnings that lead to the same worlds, to get the same findings with any number and
 * speed of threads. The largest group comes first.
 */
function partsOf(beginnings: readonly Beginning[]): [name: string, Beginning[]][] {
  const parts = new Map<string, Beginning[]>();
  for (const beginning of beginnings) {
    const name = partOf(beginning);
    parts.set(name, [...(parts.get(name) ?? []), beginning]);
  }
  return [...parts].sort(([, one], [, other]) => other.length - one.length);
}

function partOf({ active, record, variant }: Beginning): string {
  if (unseenIn(variant) !== '') return 'what is seldom configured';
  return `${active} serves, ${record === 'edited' ? 'edited by hand' : 'as the pipeline left it'}`;
}

function take(into: Exploration, { counts, worlds, crashed, troubles }: Explored): void {
  into.runs += counts.runs;
  into.faults += counts.faults;
  into.alike += counts.alike;
  into.rests += counts.rests;
  for (const [depth, count] of worlds.entries())
    into.worlds[depth] = (into.worlds[depth] ?? 0) + count;
  for (const site of crashed) into.crashed.add(site);
  into.troubles.push(...troubles);
}
