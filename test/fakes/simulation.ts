import type { StackSettings } from '../../src/domain/settings.ts';
import type { Ports } from '../../src/ports/ports.ts';
import type { Run } from '../../src/ports/run.ts';
import { listening } from './clock/listening-clock.ts';
import {
  createVirtualClock,
  type Outcome,
  type RunOptions,
  type VirtualClock,
} from './clock/virtual-clock.ts';
import {
  codeOf,
  resultKind,
  strikeMachines,
  systemOf,
  takeLockAway,
  writeBefore,
} from './faults/disturbance.ts';
import type { Call, CallHooks, Intercept } from './faults/fault-wrapper.ts';
import { arrive, leaveUnderWay } from './faults/late-calls.ts';
import { callText, type TraceEntry } from './faults/trace.ts';
import { absorb, checkEffect } from './invariants/checker.ts';
import { createClosedWatch } from './invariants/closed-watch.ts';
import { createServiceSight } from './invariants/seen-service.ts';
import { createSight } from './invariants/seen-status.ts';
import { createBarePorts, performOn, wrapPorts } from './ports/ports-fake.ts';
import { enterPipeline, finishJob, runOf } from './world/ci-job.ts';
import { happened } from './world/happened.ts';
import type { World } from './world/world.ts';

/** World with its time, and the product's runs in it. */
export interface Simulation {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly trace: TraceEntry[];
  /** Starts a run of the product with ports over the world, until it ends or crashes. */
  incarnation(options: IncarnationOptions): Incarnation;
  /** Drives time until the promise settles. Returns `stopped` after a crash of the incarnation. */
  run<T>(promise: Promise<T>, incarnation?: Incarnation): Promise<Outcome<T>>;
  advance(durationMs: number): Promise<void>;
  /** Schedules an action of an operator or of the world. */
  at(inMs: number, act: (world: World) => void): void;
}

export interface SimulationOptions {
  readonly world: World;
  readonly intercept?: Intercept;
  /** Virtual duration of every port call. */
  readonly latencyMs?: number;
  /** Maximum virtual duration of one run; 30 days if absent. */
  readonly limitMs?: number;
  /** Called right before each call takes effect, with the current world. */
  readonly about?: (call: Call) => void;
  /** World whose values a stale read shows. */
  readonly older?: () => World | undefined;
  /** Called after each call, with its response or a `CallNote`, and a way to repeat it. */
  readonly ended?: (call: Call, answer: unknown, elsewhere: Elsewhere) => void;
  /** Called at each read of the clock by the product. */
  readonly clockRead?: (what: 'now' | 'elapsed') => void;
  /** Scheduler that releases one call after another. */
  readonly turn?: (incarnation: string) => Promise<void>;
}

export type Elsewhere = (world: World) => Promise<unknown> | undefined;

export interface IncarnationOptions {
  readonly deploymentId: string;
  readonly jobId?: string;
  /** Command line, for the world's history. */
  readonly command?: string;
  /** Stack of the run; the world's first if absent. */
  readonly stack?: StackSettings;
  readonly ci?: Run['ci'];
  readonly by?: string;
  readonly commit?: string;
  readonly ownRegistrationId?: string;
  readonly deadline?: number;
  readonly timeLimitMs?: number;
  /** Machine whose processes see each other. If absent, the process runs alone. */
  readonly machine?: string;
}

export interface Incarnation {
  readonly name: string;
  readonly run: Run;
  readonly stack: StackSettings;
  readonly ports: Ports;
  /** Returns the same run's ports after it resumes that deployment. */
  portsOf(deploymentId: string): Ports;
  crashed(): boolean;
  /** Ends the run without responses to its calls. */
  crash(): void;
  /** Ends the program by itself, with its CI job. */
  end(how?: 'done' | 'nothing' | 'error', code?: string): void;
}

/** Number of calls at one moment that proves an endless loop. */
const callsInOneMoment = 50_000;

export function createSimulation(options: SimulationOptions): Simulation {
  const { world, intercept = () => undefined, latencyMs = 0, limitMs, turn } = options;
  const clock = createVirtualClock(world, (late) => arrive(world, late));
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
    let [crashed, ended, own] = [false, false, 0];
    const finish = (how: 'done' | 'nothing' | 'error' | 'killed', code?: string) => {
      const why = code === undefined ? {} : { code };
      if (!ended) happened(world, { kind: 'run_ended', run: name, how, ...why });
      ended = true;
      finishJob(world, { deploymentId: chosen.deploymentId, jobId, name });
    };
    const crash = () => {
      crashed = true;
      clock.drop(name);
      finish('killed');
    };
    const refusing = new Set<string>();
    const sight = createSight(world, stack);
    const service = createServiceSight(world, stack);
    const command = chosen.command ?? '';
    const closed = createClosedWatch(world, stack, { command, name });
    const ownClock = listening(clock.of(name), options.clockRead);
    const hooks: CallHooks = {
      begin(site) {
        countMoment();
        const call = { incarnation: name, ...site, index: calls, own };
        calls += 1;
        own += 1;
        open.add(call);
        sight.note(call);
        service.note(call);
        closed.note();
        return { call, fault: intercept(call) };
      },
      crashed: () => crashed,
      crash,
      pause: (ms) => (ms + latencyMs > 0 ? ownClock.sleep(ms + latencyMs) : undefined),
      later: (ms, act) => clock.at(ms, act),
      outlive: (call, afterMs) =>
        leaveUnderWay(world, { ...call, ...request, args: call.whole ?? call.args }, afterMs),
      makeStale() {
        world.behaviour.staleReads = 1;
      },
      disturb(call, what) {
        if (what.kind === 'token_expired') refusing.add(systemOf(call.port));
        else if (what.kind === 'clock_jump') world.skewMs += what.byMs;
        else if (what.kind === 'foreign_write') writeBefore(world, call.args[0]);
        else if (what.kind === 'machines') strikeMachines(world, stack, what);
        else takeLockAway(world, stack);
      },
      isRefused: (call) => refusing.size > 0 && refusing.has(systemOf(call.port)),
      turn: () => turn?.(name),
      about(call) {
        service.about(call);
        options.about?.(call);
      },
      performOlder(call) {
        const older = options.older?.();
        if (older === undefined) return undefined;
        older.now = world.now;
        return call.effect ? undefined : performOn(older, call, { ...request, world: older });
      },
      performed(call) {
        const by = { incarnation: name, deploymentId: request.deploymentId, command, stack };
        const seen = { wasVisible: sight.before(call), service: service.before(call) };
        checkEffect(world, { ...by, call, ...seen });
      },
      end(call, answer) {
        open.delete(call);
        options.ended?.(call, answer, (other) =>
          performOn(other, call, { ...request, world: other }),
        );
        const { port, method, args, effect } = call;
        trace.push({ at: world.now, incarnation: name, port, method, args, effect, answer });
      },
    };
    const pipeline = enterPipeline(world, { ...chosen, stack, jobId, name });
    const request = {
      world,
      clock: ownClock,
      stack,
      jobId,
      deploymentId: chosen.deploymentId,
      process: name,
    };
    const portsOf = (deploymentId: string) =>
      wrapPorts(createBarePorts(Object.assign(request, { deploymentId })), hooks);
    happened(world, {
      kind: 'run_began',
      run: name,
      deployment: chosen.deploymentId,
      jobId,
      command,
      runnerName: stack.runnerName,
    });
    return {
      name,
      stack,
      run: runOf(chosen, jobId, pipeline.createdAt),
      ports: portsOf(request.deploymentId),
      portsOf,
      crashed: () => crashed,
      crash,
      end: (how = 'done', code) => finish(how, code),
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
      if (outcome.kind === 'returned') of?.end(resultKind(outcome.value));
      else if (outcome.kind === 'threw') of?.end('error', codeOf(outcome.error));
      // The CI finally kills a hanging run.
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
