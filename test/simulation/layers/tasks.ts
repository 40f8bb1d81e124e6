import { fileURLToPath } from 'node:url';
import type { Beginning } from '../beginnings/scenario.ts';
import { createSiteFinder } from '../faults/call-sites.ts';
import { createStage, playInterleaving } from '../orders/interleavings.ts';
import { type SequenceFailure, searchSequences } from '../orders/sequences.ts';
import { type Checked, checkBeginning } from './checked.ts';
import { type FleetRollouts, playFleets } from './fleets.ts';
import { type Explored, explorePart, type PartRequest } from './part.ts';
import { performTasks } from './worker-pool.ts';

/** Task of a worker. */
export type Task =
  | ({ readonly kind: 'explore' } & PartRequest)
  | { readonly kind: 'check'; readonly beginning: Beginning; readonly oneIn: number }
  | { readonly kind: 'interleave'; readonly from: number; readonly count: number }
  | { readonly kind: 'fleets'; readonly from: number; readonly count: number }
  | { readonly kind: 'sequences'; readonly seed: number; readonly runs: number };

export interface Interleaved {
  readonly steps: number;
  readonly longest: number;
  readonly worlds: readonly string[];
  readonly failures: readonly { readonly seed: number; readonly found: readonly string[] }[];
}

export interface Searched {
  readonly failure: SequenceFailure | undefined;
}

export type Answer = Checked | Explored | Interleaved | Searched | FleetRollouts;

/** Runs a worker's tasks. Its memory of explored worlds lasts across tasks. */
export function runTasks(program: string): void {
  // Faults create thousands of errors, whose stacks have no reader.
  Error.stackTraceLimit = 0;
  const findSite = createSiteFinder(`${fileURLToPath(program)}.map`);
  const stage = createStage();
  performTasks<Task, Answer>(async (task) => {
    switch (task.kind) {
      case 'explore':
        return explorePart(task, findSite);
      case 'check':
        return checkBeginning(task.beginning, task.oneIn);
      case 'interleave':
        return interleave(task, stage);
      case 'fleets':
        return playFleets(task.from, task.count);
      case 'sequences':
        return { failure: await searchSequences(task.seed, task.runs) };
    }
  });
}

async function interleave(
  { from, count }: Task & { kind: 'interleave' },
  stage: ReturnType<typeof createStage>,
): Promise<Interleaved> {
  const failures: { seed: number; found: readonly string[] }[] = [];
  const known = new Set(stage.settled);
  let steps = 0;
  let longest = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      const played = await playInterleaving(seed, stage);
      steps += played.steps;
      longest = Math.max(longest, played.steps);
      if (played.verdict.length > 0) failures.push({ seed, found: played.verdict });
    } catch (error) {
      failures.push({ seed, found: [String(error).slice(0, 400)] });
    }
  }
  const worlds = [...stage.settled].filter((hash) => !known.has(hash));
  return { steps, longest, worlds, failures };
}
