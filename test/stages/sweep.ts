import type { StackSettings } from '../../src/domain/settings.ts';
import { emptyWorld, type WorldOptions } from '../fakes/builders.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import type { Call, Fault, Intercept } from '../fakes/seam/seam.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { countJobs } from '../fakes/world/job-counts.ts';
import { startStream } from '../fakes/world/jobs.ts';
import { parametersOf, parameterValue, servingShards } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive, type Ending } from './drive.ts';

/** The jobs of a pipeline, in their order. */
export const pipeline: readonly Command[] = ['prepare', 'provision', 'shutdown', 'cleanup'];

const minute = 60_000;

/** A world after its first deployment, under a stream of customers' jobs. */
export async function deployedWorld(options: WorldOptions = {}): Promise<World> {
  const world = emptyWorld(options);
  await deployBy(world, '1-100');
  startStream(world, {
    everyMs: 17_000,
    durationsMs: [5000, 20_000, 90_000],
    tags: ['linux'],
    visible: true,
    project: 'customers/shop',
    count: 60,
  });
  await createSimulation({ world }).advance(10 * minute);
  return world;
}

/** Every stage, once; throws what one of them throws. */
export async function deployBy(world: World, deploymentId: string): Promise<void> {
  for (const stage of pipeline) {
    const ending = await runStageOf(world, stage, { deploymentId });
    if (ending.kind === 'error') throw ending.error;
  }
}

export interface StageRun {
  readonly deploymentId: string;
  readonly intercept?: Intercept;
}

export async function runStageOf(
  world: World,
  stage: Command,
  { deploymentId, intercept }: StageRun,
): Promise<Ending> {
  const jobId = `${stage} ${world.now} ${world.counters.random}`;
  const simulation = createSimulation({ world, ...(intercept === undefined ? {} : { intercept }) });
  return drive(simulation, stage, { deploymentId, jobId });
}

/** The world before each stage of a second deployment, with the calls that the stage makes. */
export interface Leg {
  readonly stage: Command;
  readonly before: World;
  readonly calls: readonly Call[];
}

export const secondId = '1-200';
export const adopterId = '1-300';

export async function recordLegs(): Promise<Leg[]> {
  const world = await deployedWorld();
  const legs: Leg[] = [];
  for (const stage of pipeline) {
    const before = structuredClone(world);
    const calls: Call[] = [];
    const intercept = (call: Call): undefined => {
      calls.push(call);
    };
    const ending = await runStageOf(world, stage, { deploymentId: secondId, intercept });
    if (ending.kind === 'error') throw ending.error;
    legs.push({ stage, before, calls });
  }
  return legs;
}

/** One fault at one call; then whoever goes on. Returns everything that is not as it must be. */
export async function suffer(
  leg: Leg,
  { index, fault, by }: { index: number; fault: Fault; by: 'same id' | 'new id' },
): Promise<string[]> {
  const world = structuredClone(leg.before);
  const trouble: string[] = [];
  const ending = await runStageOf(world, leg.stage, {
    deploymentId: secondId,
    intercept: (call) => (call.own === index ? fault : undefined),
  });
  trouble.push(...told(ending), ...unserved(world));
  await createSimulation({ world }).advance(minute);
  const id = by === 'same id' ? secondId : adopterId;
  const rest = by === 'same id' ? pipeline.slice(pipeline.indexOf(leg.stage)) : pipeline;
  for (const stage of rest) trouble.push(...(await pass(world, stage, id)));
  await createSimulation({ world }).advance(60 * minute);
  return [...trouble, ...world.violations, ...left(world), ...lost(world)];
}

/** A typed error is an answer; an unknown one is a bug. */
function told(ending: Ending): string[] {
  return ending.kind === 'error' && ending.error.code === 'Bug'
    ? [`Bug: ${ending.error.fields.why?.join(' ')}`]
    : [];
}

/** After one fault everything works again, so every stage ends well at its second run at the latest. */
async function pass(world: World, stage: Command, deploymentId: string): Promise<string[]> {
  const ending = await runStageOf(world, stage, { deploymentId });
  if (ending.kind !== 'error') return [];
  const busy = ending.error.exitCode === 75;
  if (busy) {
    await runStageOf(world, 'finalize', { deploymentId });
    return pass(world, stage, deploymentId);
  }
  return [`${stage}: ${ending.error.code} ${ending.error.fields.why?.join(' ')}`];
}

function unserved(world: World): string[] {
  const stack = world.stacks[0] as StackSettings;
  return servingShards(world, stack).length > 0 ? [] : ['S1: nothing serves after the fault'];
}

/** The visible canary of the pipeline that died belongs to that pipeline. */
function left(world: World): string[] {
  const { id } = deploymentOf(
    parameterValue(world, parametersOf(world.stacks[0] as StackSettings).record),
  );
  const others = Object.values(world.jobs).filter(
    ({ kind, deployment }) => kind === 'canary' && deployment !== id,
  );
  return atRest(world).filter((text) => !others.some((job) => text.includes(`job ${job.id} `)));
}

function lost(world: World): string[] {
  const { submitted, finished, interrupted, lost: gone } = countJobs(world);
  return submitted === finished && interrupted + gone === 0
    ? []
    : [
        `S3: ${submitted} submitted, ${finished} finished, ${interrupted} interrupted, ${gone} lost`,
      ];
}
