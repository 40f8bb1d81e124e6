import fc from 'fast-check';
import { createSimulation } from '../../fakes/simulation.ts';
import { type GitLabVersion, gitlabVersions } from '../../fakes/world/gitlab-version.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command } from '../../stages/drive.ts';
import { openBeginning } from '../beginnings/beginnings.ts';
import { deployment, nextOrder } from '../continuation.ts';
import { type Evidence, finishWorld } from '../finishing.ts';
import { type RunHooks, runOnce } from '../one-run.ts';
import { judgeRun } from '../verdict.ts';
import { type Deed, deeds, doDeed } from './people.ts';

/** Event in the life of a stack. Plain data, to keep a failing sequence. */
export type Happening =
  | { readonly do: 'run' | 'retry' | 'begin' }
  | { readonly do: 'crash' | 'cancel' | 'expire'; readonly at: number }
  | { readonly do: 'command'; readonly command: Command }
  | { readonly do: 'deed'; readonly deed: Deed }
  | { readonly do: 'wait'; readonly ms: number }
  /** Changes GitLab's version, which is the newest before. */
  | { readonly do: 'gitlab'; readonly version: GitLabVersion };

const at = fc.integer({ min: 0, max: 150 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Happening>({ do: 'run' }) },
  { weight: 1, arbitrary: fc.constant<Happening>({ do: 'retry' }) },
  { weight: 1, arbitrary: fc.constant<Happening>({ do: 'begin' }) },
  { weight: 3, arbitrary: at.map<Happening>((call) => ({ do: 'crash', at: call })) },
  { weight: 1, arbitrary: at.map<Happening>((call) => ({ do: 'cancel', at: call })) },
  { weight: 1, arbitrary: at.map<Happening>((call) => ({ do: 'expire', at: call })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Command>(
        ...(['finalize', 'rollback', 'recover cleanup', 'healthcheck', 'cleanup'] as const),
        // Operator typos: an id of the other shard, or an unknown id.
        ...(['activate purple 48213', 'activate pink 48214', 'activate pink 49999'] as const),
      )
      .map<Happening>((command) => ({ do: 'command', command })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...(Object.keys(deeds) as Deed[]))
      .map<Happening>((deed) => ({ do: 'deed', deed })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(20_000, 120_000, 2_400_000, 7_200_000)
      .map<Happening>((ms) => ({ do: 'wait', ms })),
  },
);

const gitlab = fc
  .constantFrom(...gitlabVersions.toReversed())
  .map<Happening>((version) => ({ do: 'gitlab', version }));

export const sequences = fc
  .tuple(gitlab, fc.array(happening, { maxLength: 14 }))
  .map(([version, happenings]) => [version, ...happenings]);

/**
 * Plays all steps on a stack with pink active. Returns violations during the steps and in the final
 * state.
 */
export async function playSequence(steps: readonly Happening[]): Promise<string[]> {
  return playSequenceIn(await sequenceWorld(), steps);
}

export function sequenceWorld(): Promise<World> {
  return openBeginning({ place: 'none', active: 'pink', record: 'fresh' });
}

/** Plays all steps in the given world. */
export async function playSequenceIn(
  world: World,
  steps: readonly Happening[],
  evidence?: Evidence,
): Promise<string[]> {
  const memory: Memory = { pipelines: 0, last: undefined, evidence };
  for (const [index, step] of steps.entries()) {
    const found = await happen(world, step, memory, index);
    if (found.length > 0) return found;
  }
  return finishWorld(world, evidence);
}

interface Memory {
  pipelines: number;
  last: { command: Command; deploymentId: string } | undefined;
  readonly evidence: Evidence | undefined;
}

async function happen(
  world: World,
  step: Happening,
  memory: Memory,
  index: number,
): Promise<string[]> {
  switch (step.do) {
    case 'deed':
      doDeed(world, step.deed);
      return [];
    case 'gitlab':
      world.behaviour.gitlab = step.version;
      return [];
    case 'wait':
      await createSimulation({ world }).advance(step.ms);
      return [];
    default:
      return run(world, step, memory, index);
  }
}

async function run(
  world: World,
  step: Exclude<Happening, { do: 'deed' | 'wait' | 'gitlab' }>,
  memory: Memory,
  index: number,
): Promise<string[]> {
  const order = orderOf(world, step, memory);
  memory.last = order;
  const hooks = { ...hooksOf(step), evidence: memory.evidence };
  const { ending } = await runOnce(world, { ...order, jobId: `job ${index}` }, hooks);
  return judgeRun(world, ending);
}

function orderOf(
  world: World,
  step: Happening,
  memory: Memory,
): { command: Command; deploymentId: string } {
  const { phase, id } = deployment(world);
  if (step.do === 'retry' && memory.last !== undefined) return memory.last;
  if (step.do === 'begin' || phase === 'none' || phase === 'done') {
    memory.pipelines += 1;
    return { command: 'prepare', deploymentId: `1-${500 + memory.pipelines}` };
  }
  if (step.do === 'command') return { command: step.command, deploymentId: id ?? '1-500' };
  const beginning = { place: 'none', active: 'pink', record: 'fresh' } as const;
  return (
    nextOrder(world, { beginning, run: 1 }) ?? { command: 'finalize', deploymentId: id ?? '1-500' }
  );
}

function hooksOf(step: Happening): RunHooks {
  if (step.do === 'crash') return { strike: { call: step.at, mode: 'crash_after' } };
  if (step.do === 'expire') return { strike: { call: step.at, mode: 'token_expired' } };
  return step.do === 'cancel' ? { cancelAt: step.at } : {};
}

export interface SequenceFailure {
  readonly steps: readonly Happening[];
  readonly found: readonly string[];
}

/** Plays `runs` sequences from a seed. Returns the shortest failing one, if any. */
export async function searchSequences(
  seed: number,
  runs: number,
): Promise<SequenceFailure | undefined> {
  const property = fc.asyncProperty(
    sequences,
    async (steps) => (await playSequence(steps)).length === 0,
  );
  const result = await fc.check(property, { seed, numRuns: runs });
  const [steps] = result.counterexample ?? [];
  return steps === undefined ? undefined : { steps, found: await playSequence(steps) };
}
