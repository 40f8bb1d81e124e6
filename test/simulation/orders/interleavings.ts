import { places } from '../../../model/outcome.ts';
import { due, newerId } from '../../cells/fire.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import type { GitLabVersion } from '../../fakes/world/gitlab-version.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command, Ending } from '../../stages/drive.ts';
import { ownId } from '../../stages/reach.ts';
import { openBeginning } from '../beginnings/beginnings.ts';
import { actives, type Beginning } from '../beginnings/scenario.ts';
import { gitlabOfSeed } from '../beginnings/versions.ts';
import { canonicalHash } from '../canonical/canonical.ts';
import { copyWorld } from '../canonical/clone.ts';
import { type Chance, createChance } from '../chance.ts';
import { type Evidence, finishEverything, finishWorld } from '../finishing.ts';
import { type Deed, deeds, doDeed } from './people.ts';
import { type PipelineRun, pipelineActor, startPipeline } from './pipeline-runs.ts';
import { type Actor, runByPriorities } from './scheduler.ts';

/** Number of actors: two pipelines, an operator, the runners, GitLab's cleanup, and time. */
export const actorCount = 6;
/** Number of steps among which the pre-emptions are placed. */
export const expectedSteps = 200;

export interface Cast {
  readonly beginning: Beginning;
  readonly first: readonly Command[];
  readonly second: { readonly deploymentId: string; readonly commands: readonly Command[] };
  readonly operator: readonly (Deed | 'cancels the first pipeline')[];
  readonly cleanup: readonly Deed[];
  readonly depth: number;
}

export interface Interleaving {
  readonly cast: Cast;
  readonly steps: number;
  readonly endings: readonly string[];
  readonly verdict: readonly string[];
}

/** Receiver of the runs' event lines and of the worlds before and after. */
export interface Witness {
  readonly evidence: Evidence;
  begins(world: World): void;
  ended(world: World): void;
}

export interface Stage {
  /** Worlds at the beginnings, created once. */
  readonly worlds: Map<string, World>;
  /** Final worlds of interleavings that are known to reach a valid state. */
  readonly settled: Set<string>;
}

export function createStage(): Stage {
  return { worlds: new Map(), settled: new Set() };
}

/** Chooses the actors by the seed alone. */
function chooseCast(chance: Chance): Cast {
  const place = chance.pick(places);
  const beginning: Beginning = {
    place,
    active: chance.pick(actives),
    record: chance.pick(['fresh', 'resumed'] as const),
  };
  const second = chance.pick<Cast['second']>([
    { deploymentId: newerId, commands: ['prepare', 'provision'] },
    { deploymentId: newerId, commands: ['prepare', 'onboard'] },
    { deploymentId: newerId, commands: ['finalize'] },
    { deploymentId: ownId, commands: [due[place]] },
    { deploymentId: ownId, commands: [due[place], 'finalize'] },
    { deploymentId: newerId, commands: ['rollback'] },
    { deploymentId: newerId, commands: ['healthcheck'] },
  ]);
  const operator = chance.shuffle([
    ...(Object.keys(deeds).slice(0, 5) as Deed[]),
    'cancels the first pipeline' as const,
  ]);
  return {
    beginning,
    first: chance.pick<readonly Command[]>([[due[place]], [due[place], 'finalize']]),
    second,
    operator: operator.slice(0, chance.below(3)),
    cleanup: chance.shuffle(Object.keys(deeds).slice(5) as Deed[]).slice(0, chance.below(3)),
    depth: chance.pick([2, 3]),
  };
}

/** Plays one interleaving. The same seed repeats it. */
export async function playInterleaving(
  seed: number,
  stage: Stage,
  witness?: Witness,
  gitlab: GitLabVersion = gitlabOfSeed(seed),
): Promise<Interleaving> {
  const chance = createChance(seed);
  const cast = chooseCast(chance);
  const world = copyWorld(await worldOf(cast.beginning, gitlab, stage));
  world.seed = seed;
  witness?.begins(copyWorld(world));
  const play = stageActors(world, cast, witness?.evidence);
  const steps = await runByPriorities({
    actors: play.actors,
    chance,
    depth: cast.depth,
    steps: expectedSteps,
    settle: play.settle,
    isOver: play.isOver,
  });
  const endings = play.endings.map(describe);
  const bugs = play.endings.flatMap((ending) =>
    ending.kind === 'error' && ending.error.code === 'Bug'
      ? [`Bug: ${ending.error.fields.why?.join(' ')}`]
      : [],
  );
  const found = [...world.violations, ...bugs];
  if (found.length > 0) return { cast, steps, endings, verdict: found };
  if (witness !== undefined) {
    const verdict = await finishWorld(world, witness.evidence);
    witness.ended(world);
    return { cast, steps, endings, verdict };
  }
  const hash = canonicalHash(world);
  if (stage.settled.has(hash)) return { cast, steps, endings, verdict: [] };
  const verdict = await finishEverything(world);
  if (verdict.length === 0) stage.settled.add(hash);
  return { cast, steps, endings, verdict };
}

async function worldOf(
  beginning: Beginning,
  gitlab: GitLabVersion,
  { worlds }: Stage,
): Promise<World> {
  const key = JSON.stringify([beginning, gitlab]);
  const chosen = { longBuildMs: 7_200_000, gitlab };
  const known = worlds.get(key) ?? (await openBeginning(beginning, chosen));
  worlds.set(key, known);
  return known;
}

function describe(ending: Ending): string {
  return ending.kind === 'error' ? ending.error.code : ending.kind;
}

interface Play {
  readonly actors: readonly Actor[];
  readonly endings: Ending[];
  settle(): Promise<void>;
  isOver(): boolean;
}

function stageActors(world: World, cast: Cast, evidence: Evidence | undefined): Play {
  // Two calls of one run may wait at once. They continue in the order of the calls.
  const turns = new Map<string, (() => void)[]>();
  const simulation = createSimulation({
    world,
    turn: (incarnation) =>
      new Promise((resolve) => {
        turns.set(incarnation, [...(turns.get(incarnation) ?? []), resolve]);
      }),
  });
  const endings: Ending[] = [];
  const first = startPipeline(
    simulation,
    { name: 'first', deploymentId: ownIdOf(cast), commands: cast.first, evidence },
    endings,
  );
  const second = startPipeline(simulation, { name: 'second', ...cast.second, evidence }, endings);
  const pipelines = [first, second];
  const until = world.now + 6 * 3_600_000;
  return {
    endings,
    actors: [
      ...pipelines.map((pipeline) => pipelineActor(pipeline, turns)),
      deedActor(world, cast.operator, first),
      deedActor(world, cast.cleanup, first),
      {
        name: 'the runners',
        canAct: () => (simulation.clock.next().event ?? Number.POSITIVE_INFINITY) < until,
        act: simulation.clock.happenNext,
      },
      {
        name: 'time',
        canAct: () => simulation.clock.next().timer !== undefined,
        act: simulation.clock.wakeNext,
      },
    ],
    settle: () => simulation.clock.settle(),
    isOver: () => pipelines.every(({ over }) => over()),
  };
}

function ownIdOf({ beginning }: Cast): string {
  return beginning.place === 'none' ? newerId : ownId;
}

function deedActor(world: World, todo: Cast['operator'], first: PipelineRun): Actor {
  const left = [...todo];
  return {
    name: 'a person',
    canAct: () => left.length > 0,
    act() {
      const deed = left.shift();
      if (deed === 'cancels the first pipeline') first.cancel();
      else if (deed !== undefined) doDeed(world, deed);
    },
  };
}
