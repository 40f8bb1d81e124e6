import type { StackSettings } from '../../src/domain/settings.ts';
import type { DeploymentId } from '../../src/domain/shard.ts';
import type { Run } from '../../src/ports/host.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { absorb, checkEffect } from './checker.ts';
import { addPipeline } from './pipelines-fake.ts';
import { createBarePorts, wrapPorts } from './ports-fake.ts';
import type { Call, Intercept, SeamHooks } from './seam.ts';
import { callText, type TraceEntry } from './trace.ts';
import {
  createVirtualClock,
  type Outcome,
  type RunOptions,
  type VirtualClock,
} from './virtual-clock.ts';
import type { PipelineState, World } from './world.ts';

/** A world with its time, and the runs of our program in it. */
export interface Simulation {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly trace: TraceEntry[];
  /** One run of our program: its ports over the world, until it ends or crashes. */
  incarnation(options: IncarnationOptions): Incarnation;
  /** Drives time until the promise settles; `stopped` once the incarnation has crashed. */
  run<T>(promise: Promise<T>, incarnation?: Incarnation): Promise<Outcome<T>>;
  advance(durationMs: number): Promise<void>;
  /** Something that a person or the world does at a moment. */
  at(inMs: number, act: (world: World) => void): void;
}

export interface SimulationOptions {
  readonly world: World;
  readonly intercept?: Intercept;
  /** What every call of a port takes, virtually. */
  readonly latencyMs?: number;
  /** The longest that one run may take, virtually; 30 days if absent. */
  readonly limitMs?: number;
}

export interface IncarnationOptions {
  readonly deploymentId: string;
  readonly jobId?: string;
  /** The stack; the world's first if absent. */
  readonly stack?: StackSettings;
  readonly ci?: Run['ci'];
  readonly by?: string;
  readonly ownRegistrationId?: string;
  readonly deadline?: number;
  /** Processes of one machine see each other; absent: a machine of its own. */
  readonly machine?: string;
}

export interface Incarnation {
  readonly name: string;
  readonly run: Run;
  readonly stack: StackSettings;
  readonly ports: Ports;
  crashed(): boolean;
  /** No call of it is answered from now on. */
  crash(): void;
  /** The program has ended by itself: its CI job is over. */
  end(): void;
}

/** So many calls without any time passing are a loop that nothing ends. */
const callsInOneMoment = 50_000;

export function createSimulation(options: SimulationOptions): Simulation {
  const { world, intercept = () => undefined, latencyMs = 0, limitMs } = options;
  const clock = createVirtualClock(world);
  const trace: TraceEntry[] = [];
  const open = new Set<Call>();
  const burst = { at: 0, calls: 0 };
  let calls = 0;
  let incarnations = 0;
  absorb(world);

  function countMoment(): void {
    burst.calls = burst.at === world.now ? burst.calls + 1 : 0;
    burst.at = world.now;
    if (burst.calls > callsInOneMoment) throw new Error('no time passes between the calls');
  }

  function incarnation(chosen: IncarnationOptions): Incarnation {
    incarnations += 1;
    const jobId = chosen.jobId ?? String(7000 + incarnations);
    const name = `${chosen.deploymentId}/${jobId}#${incarnations}`;
    const stack = chosen.stack ?? (world.stacks[0] as StackSettings);
    let crashed = false;
    let own = 0;
    const finish = () => finishJob(world, { deploymentId: chosen.deploymentId, jobId, name });
    const crash = () => {
      crashed = true;
      clock.drop(name);
      finish();
    };
    const ownClock = clock.of(name);
    const hooks: SeamHooks = {
      begin(site) {
        countMoment();
        const { port, method, args, effect } = site;
        const call = { incarnation: name, port, method, args, effect, index: calls, own };
        calls += 1;
        own += 1;
        open.add(call);
        return { call, fault: intercept(call) };
      },
      crashed: () => crashed,
      crash,
      pause: (ms) => (ms + latencyMs > 0 ? ownClock.sleep(ms + latencyMs) : undefined),
      later: (ms, act) => clock.at(ms, act),
      makeStale() {
        world.behaviour.staleReads = 1;
      },
      performed(call) {
        const { deploymentId } = chosen;
        checkEffect(world, { incarnation: name, deploymentId, stack, call });
      },
      end(call, answer) {
        open.delete(call);
        const { port, method, args, effect } = call;
        trace.push({ at: world.now, incarnation: name, port, method, args, effect, answer });
      },
    };
    const pipeline = enterPipeline(world, { ...chosen, stack, jobId, name });
    const bare = createBarePorts({
      world,
      clock: ownClock,
      stack,
      jobId,
      deploymentId: chosen.deploymentId,
      process: name,
    });
    return {
      name,
      stack,
      run: runOf(chosen, jobId, pipeline.createdAt),
      ports: wrapPorts(bare, hooks),
      crashed: () => crashed,
      crash,
      end: finish,
    };
  }

  return {
    world,
    clock,
    trace,
    incarnation,
    async run(promise, of) {
      const waiting = () => [...open].map((call) => `${call.incarnation}: ${callText(call)}`);
      const limit = limitMs === undefined ? {} : { limitMs };
      const stop = of === undefined ? {} : { stop: of.crashed };
      const chosen: RunOptions = { waiting, ...limit, ...stop };
      const outcome = await clock.run(promise, chosen);
      if (outcome.kind === 'returned' || outcome.kind === 'threw') of?.end();
      // Whatever hangs is killed by its CI in the end.
      else of?.crash();
      return outcome;
    },
    advance: clock.advance,
    at(inMs, act) {
      clock.at(inMs, () => {
        act(world);
        absorb(world);
      });
    },
  };
}

/** The first job of a pipeline brings the pipeline into the world, if no test has. */
function enterPipeline(
  world: World,
  entry: IncarnationOptions & { stack: StackSettings; jobId: string; name: string },
): PipelineState {
  const { deploymentId, stack, jobId, name, machine = name } = entry;
  const known = world.pipelines[deploymentId];
  const pipeline = known ?? addPipeline(world, { deploymentId, stack });
  pipeline.jobs[jobId] = 'running';
  pipeline.state = 'running';
  world.processes[name] = { machine, alive: true };
  return pipeline;
}

/** A CI notices the end of a job's process; its pipeline waits until somebody goes on with it. */
function finishJob(
  world: World,
  { deploymentId, jobId, name }: { deploymentId: string; jobId: string; name: string },
): void {
  const pipeline = world.pipelines[deploymentId];
  const process = world.processes[name];
  if (process !== undefined) process.alive = false;
  if (pipeline === undefined) return;
  pipeline.jobs[jobId] = 'finished';
  const runs = Object.values(pipeline.jobs).includes('running');
  if (!runs && pipeline.state === 'running') pipeline.state = 'finished';
}

function runOf(chosen: IncarnationOptions, jobId: string, createdAt: number): Run {
  const { deploymentId, ownRegistrationId, deadline } = chosen;
  return {
    ci: chosen.ci ?? 'gitlab',
    deploymentId: deploymentId as DeploymentId,
    pipelineCreatedAt: new Date(createdAt).toISOString(),
    pipelineUrl: `https://gitlab.example.com/platform/runners/-/pipelines/${deploymentId}`,
    jobId,
    by: chosen.by ?? 'deployer',
    ...(ownRegistrationId === undefined ? {} : { ownRegistrationId }),
    ...(deadline === undefined ? {} : { deadline }),
  };
}
