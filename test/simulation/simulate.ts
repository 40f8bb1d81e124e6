import type { LogEvent } from '../../src/ports/log-event.ts';
import type { Call } from '../fakes/faults/fault-wrapper.ts';
import type { TraceEntry } from '../fakes/faults/trace.ts';
import { createSimulation } from '../fakes/simulation.ts';
import type { HistoryEntry } from '../fakes/world/history.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command, Ending } from '../stages/drive.ts';
import { openBeginning } from './beginnings/beginnings.ts';
import type { PlannedFault, Scenario } from './beginnings/scenario.ts';
import { exactHash } from './canonical/canonical.ts';
import {
  findAdvice,
  type Going,
  isTroubled,
  nextOrder,
  revertStatus,
  untilItsJobsEndMs,
} from './continuation.ts';
import { isLateMode } from './faults/late-faults.ts';
import { endUnheardOf } from './faults/machine-events.ts';
import { isMachineMode } from './faults/machine-faults.ts';
import { type RunOrder, runOnce } from './one-run.ts';
import { judgeRerun, judgeRest, judgeRun } from './verdict.ts';

/** Played schedule: a beginning, its runs with their faults, and the final world. */
export interface Simulated {
  /** All intercepted calls of all runs. */
  readonly trace: readonly TraceEntry[];
  /** Runs with the product's own log events. */
  readonly runs: readonly {
    readonly order: RunOrder;
    readonly ended: string;
    /** Reason of an error. */
    readonly text: string;
    readonly events: readonly LogEvent[];
  }[];
  /** World's own history since the beginning. */
  readonly history: readonly HistoryEntry[];
  /** Worlds at the beginning and at the end. */
  readonly before: World;
  readonly after: World;
  readonly worldHash: string;
  readonly traceHash: string;
  /** Violations; empty if none. */
  readonly verdict: readonly string[];
  /** Number of planned faults that struck. */
  readonly struck: number;
}

/** Time until the next job, after which the last lock's name is free again. */
const nextJobMs = 32_000;

/** Returns the time until half a minute after the last late effect. */
function untilItArrivesMs({ events, now }: World): number {
  const late = events.filter(({ event }) => event.kind === 'effect_arrives');
  return Math.max(...late.map(({ at }) => at - now + 30_000));
}

function isAnythingUnderWay({ events }: World): boolean {
  return events.some(({ event }) => event.kind === 'effect_arrives');
}

/** Time after which the customer job that blocks a candidate has ended. */
const untilJobEndsMs = 120_000;

/** Maximum number of times that the pipeline repeats a failed run. */
export const maximumRuns = 14;

export interface PlayOptions {
  readonly seed?: number;
  /** World to begin with, instead of the scenario's. */
  readonly world?: World;
  /** Called before every call. */
  readonly onCall?: (call: Call, world: World) => void;
  /** Receives the lines that the runs would write to their event files. */
  readonly evidence?: (line: string) => void;
}

/** Plays a scenario to its end. The same scenario and seed give the same trace and world. */
export async function simulate(
  scenario: Scenario,
  { seed = 1, world: given, onCall, evidence }: PlayOptions = {},
): Promise<Simulated> {
  const world = given ?? (await openBeginning(scenario));
  world.seed = seed;
  const before = structuredClone(world);
  const hooks = {
    ...(onCall === undefined ? {} : { onCall }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  const trace: TraceEntry[] = [];
  const runs: Simulated['runs'][number][] = [];
  const verdict: string[] = [];
  let going: Going = { beginning: scenario, run: 0 };
  let struck = 0;
  for (let order = nextOrder(world, going); ; order = nextOrder(world, going)) {
    if (order === undefined) {
      if (!isAnythingUnderWay(world)) break;
      await createSimulation({ world }).advance(untilItArrivesMs(world));
      continue;
    }
    const [fault, also] = scenario.faults.filter(({ run }) => run === going.run);
    const modes = [fault, also].flatMap((one) => one?.mode ?? []);
    if (modes.some(isMachineMode)) going = { ...going, struck: true };
    // No run can prevent a late effect or a machine's end, so an operator may have to act.
    if (modes.some(isLateMode)) going = { ...going, struck: true, late: true };
    const report = await playRun(world, order, { fault, also, hooks });
    trace.push(...report.trace);
    const { ending } = report;
    runs.push({
      order,
      ended: ending.kind === 'error' ? ending.error.code : ending.kind,
      text: ending.kind === 'error' ? (ending.error.fields.why ?? []).join(' ') : '',
      events: report.events,
    });
    if (report.struck) struck += 1;
    verdict.push(...judgeRun(world, ending));
    if (verdict.length > 0) break;
    verdict.push(...judgeRerun(going, { ending, faulty: fault !== undefined }));
    const advice = meet(world, going, ending);
    await awaitNext(world, { ending, command: advice, faulty: fault !== undefined, going });
    going = { ...going, run: going.run + 1, command: advice };
    if (going.run >= maximumRuns) {
      verdict.push(
        `L1: not done after ${maximumRuns} runs: ${runs.map(({ order: { command }, ended }) => `${command} ${ended}`).join(', ')}`,
      );
      break;
    }
  }
  if (verdict.length === 0) verdict.push(...(await judgeRest(world)));
  return {
    trace,
    runs,
    history: world.history,
    before,
    after: world,
    worldHash: exactHash(world),
    traceHash: exactHash(trace),
    verdict,
    struck,
  };
}

interface RunFaults {
  readonly fault: PlannedFault | undefined;
  readonly also: PlannedFault | undefined;
  readonly hooks: Pick<PlayOptions, 'onCall' | 'evidence'>;
}

async function playRun(world: World, order: RunOrder, { fault, also, hooks: runHooks }: RunFaults) {
  if (fault === undefined) return runOnce(world, order, runHooks);
  const { call, mode } = fault;
  const second = also === undefined ? runHooks : { also, ...runHooks };
  if (mode !== 'stale') return runOnce(world, order, { strike: { call, mode }, ...second });
  const staleSince = await lastEffectBefore(structuredClone(world), order, call);
  const strike = { call, mode, ...(staleSince === undefined ? {} : { staleSince }) };
  return runOnce(world, order, { strike, ...second });
}

/**
 * Returns the last effect before a call. Up to the call, a run is the same with and without the
 * fault.
 */
async function lastEffectBefore(
  world: World,
  order: RunOrder,
  call: number,
): Promise<number | undefined> {
  let last: number | undefined;
  await runOnce(world, order, {
    onCall: ({ own, effect }) => {
      if (effect && own < call) last = own;
    },
  });
  return last;
}

/** Performs the operator's reaction to the end of a run, and returns the next command. */
export function meet(world: World, going: Going, ending: Ending) {
  const { beginning } = going;
  if (ending.kind !== 'error') return undefined;
  if (ending.error.code === 'Held') takeHoldAway(world);
  if (isTroubled(going)) {
    if (ending.error.code === 'CannotRecover') endUnheardOf(world);
    const advice = findAdvice(ending);
    if (advice !== undefined || beginning.record !== 'edited') return advice;
  }
  if (ending.error.exitCode !== 3 || beginning.record !== 'edited') return undefined;
  const advice = findAdvice(ending);
  if (advice === undefined && ending.error.code === 'FactsContradict') revertStatus(world);
  return advice;
}

function takeHoldAway(world: World): void {
  const hold = Object.keys(world.parameters).find((name) => name.endsWith('deployment_hold'));
  if (hold !== undefined) delete world.parameters[hold];
}

/**
 * Waits half a minute for the pipeline's next job or the operator's command. A run that a fault
 * struck is repeated at once.
 */
export async function awaitNext(
  world: World,
  {
    ending,
    command: advice,
    faulty,
    going,
  }: { ending: Ending; command: Command | undefined; faulty: boolean; going: Going },
): Promise<void> {
  const isOver =
    ending.kind === 'done' ||
    ending.kind === 'nothing' ||
    advice !== undefined ||
    isTroubled(going);
  const isInTheWay = ending.kind === 'error' && ending.error.code === 'InactiveShardHealthy';
  const passMs = (isInTheWay ? untilJobEndsMs : nextJobMs) + untilItsJobsEndMs(world, advice);
  if (isOver && !faulty) await createSimulation({ world }).advance(passMs);
}
