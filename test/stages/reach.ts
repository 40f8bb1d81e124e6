import { type Place, phaseOf } from '../../model/outcome.ts';
import {
  type Phase,
  type StageName,
  stageNames,
  stepNamed,
  stepsOf,
} from '../../src/domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { Shard } from '../../src/domain/shard.ts';
import { bakingStack, pink, purple, worldWithActive } from '../fakes/builders.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import type { Call, Fault } from '../fakes/faults/fault-wrapper.ts';
import type { Behaviour } from '../fakes/hosts/behaviour.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation, type Simulation } from '../fakes/simulation.ts';
import { submitJob } from '../fakes/world/jobs.ts';
import { activeShard, hostsOf, parametersOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive } from './drive.ts';

export const ownId = '1-200';

/** Jobs of a pipeline in order. Without a bake, none comes between shutdown and the next. */
const jobs: readonly StageName[] = stageNames.filter((stage) => stage !== 'promote');

/**
 * Returns the job that reaches a place and the job that is due there. They differ if the first one
 * ends there.
 */
export function jobsAt(place: Place): { readonly last: StageName; readonly next: StageName } {
  const phase = phaseOf(place);
  if (phase === 'none') return { last: 'prepare', next: 'prepare' };
  const last = jobs.find((job) => phasesOf(job).includes(phase)) ?? 'provision';
  if (phasesOf(last).at(-1) !== phase) return { last, next: last };
  const later = jobs.slice(jobs.indexOf(last) + 1);
  const next = later.find((job) => job !== 'bake' || place === 'drained, baking');
  return { last, next: next ?? last };
}

function phasesOf(job: StageName): readonly Phase[] {
  const own = stepsOf(job).filter((step) => step !== 'bake' || job === 'bake');
  return own.flatMap((step) => stepNamed(step).writes);
}

/** Places that need another stack, or that no single write marks. */
const ways: Readonly<
  Partial<Record<Place, { kill?: (call: Call) => boolean; stack?: StackSettings }>>
> = {
  applying: { kill: isCall('infrastructure', 'apply', 'step 1') },
  promoting: { kill: isProductionRouting },
  'drained, baking': { stack: bakingStack({ forMs: 900_000 }) },
  baked: { stack: bakingStack({ forMs: 60_000 }) },
  destroying: { kill: isCall('registry', 'retire') },
};

export interface Reaching {
  /** Active shard, pink if absent. The other shard is the candidate. */
  readonly active?: Shard;
  readonly stack?: StackSettings;
  readonly behaviour?: Partial<Behaviour>;
  /** Duration of the job that a drain waits for; two hours if absent. */
  readonly longBuildMs?: number;
}

/** Reaches a place by the stages of a deployment, killed there. The other shard stays active. */
export async function reach(place: Place, reaching: Reaching = {}): Promise<World> {
  const world = await arrive(place, reaching);
  const [stack] = world.stacks;
  // The CI has ended the job. The lock that a killed run leaves is not the subject of these tests.
  if (stack !== undefined) removeParameter(world, parametersOf(stack).lock);
  await createSimulation({ world }).advance(600_000);
  return world;
}

/** Reaches a place at the moment of the kill, with the lock of the last job. */
export async function arrive(
  place: Place,
  { active = pink, stack, behaviour = {}, longBuildMs = 7_200_000 }: Reaching = {},
): Promise<World> {
  const its = stack ?? ways[place]?.stack;
  const stacks = its === undefined ? {} : { stacks: [its] };
  const world = worldWithActive(active, { ...stacks, behaviour });
  if (place === 'retreating') await retreat(world);
  else if (place === 'draining') await beginToDrain(world, longBuildMs);
  else await follow(world, place);
  return world;
}

/** Runs the jobs up to the place, and kills the one that would leave it. */
async function follow(world: World, place: Place): Promise<void> {
  const phase = phaseOf(place);
  if (phase === 'none') return;
  const { last, next } = jobsAt(place);
  const before = jobs.slice(0, jobs.indexOf(last)).filter((job) => job !== 'bake');
  const kill = ways[place]?.kill ?? (next === last ? writes(phase) : undefined);
  await passOver(world, [...before, last], kill);
}

async function beginToDrain(world: World, durationMs: number): Promise<void> {
  await passOver(world, ['prepare', 'onboard']);
  submitJob(world, { name: 'long build', tags: ['linux'], durationMs });
  await passOver(world, ['provision']);
  const simulation = createSimulation({ world });
  const deadline = world.now + 300_000;
  await drive(simulation, 'shutdown', { deploymentId: ownId, jobId: 'shutdown 1', deadline });
}

async function retreat(world: World): Promise<void> {
  await follow(world, 'promoting');
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  const candidate = stack.shards.find((shard) => shard !== activeShard(world, stack)) ?? purple;
  for (const host of hostsOf(world, stack, candidate)) terminateHost(world, host, 'world');
  await passOver(world, ['provision'], writes('retreating'));
}

async function passOver(
  world: World,
  stages: readonly Command[],
  kill?: (call: Call) => boolean,
): Promise<void> {
  const intercept = killAt(kill ?? (() => false));
  const simulation: Simulation = createSimulation({ world, intercept });
  for (const [index, stage] of stages.entries()) {
    const jobId = `${stage} of ${world.counters.order}.${index}`;
    const ending = await drive(simulation, stage, { deploymentId: ownId, jobId });
    if (ending.kind === 'error') throw ending.error;
  }
}

/** Kills the run right after the effect of the first matching call. */
export function killAt(matches: (call: Call) => boolean): (call: Call) => Fault | undefined {
  let killed = false;
  return (call) => {
    if (killed || !matches(call)) return undefined;
    killed = true;
    return { kind: 'crash_after' };
  };
}

export function isCall(port: string, method: string, arg?: string): (call: Call) => boolean {
  return (call) =>
    call.port === port && call.method === method && (arg === undefined || call.args.includes(arg));
}

export function writes(phase: Phase): (call: Call) => boolean {
  return ({ port, args }) => {
    const { value } = (args[0] ?? {}) as { value?: unknown };
    return (
      port === 'parameters' && typeof value === 'string' && deploymentOf(value).phase === phase
    );
  };
}

export function isProductionRouting({ method, args }: Call): boolean {
  const { tags } = (args[1] ?? {}) as { tags?: readonly string[] };
  return method === 'route' && tags?.includes('linux') === true;
}
