import { setMaxListeners } from 'node:events';
import type { LogEvent } from '../../src/ports/log-event.ts';
import type { Call } from '../fakes/faults/fault-wrapper.ts';
import type { TraceEntry } from '../fakes/faults/trace.ts';
import { createSimulation, type Elsewhere } from '../fakes/simulation.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive, type Ending } from '../stages/drive.ts';
import { type FaultMode, faultAt, modesOf } from './faults/fault-modes.ts';
import { isLateMode, lateModesOf } from './faults/late-faults.ts';
import { isMachineMode } from './faults/machine-faults.ts';

/** Limit of a run. The longest customer job takes two hours, so a longer run never ends. */
const limitMs = 8 * 3_600_000;

export interface RunOrder {
  readonly command: Command;
  readonly deploymentId: string;
  readonly jobId: string;
}

export interface Strike {
  readonly call: number;
  readonly mode: FaultMode;
  /** Call before which a stale read's world existed. */
  readonly staleSince?: number;
}

export interface RunReport {
  readonly ending: Ending;
  readonly trace: readonly TraceEntry[];
  readonly events: readonly LogEvent[];
  /** Whether the fault struck. */
  readonly struck: boolean;
}

export interface RunHooks {
  readonly strike?: Strike;
  /** Second fault in the same run. */
  readonly also?: Strike;
  /** Called before every call. */
  readonly onCall?: (call: Call, world: World) => void;
  /** Called after every call. */
  readonly onEnd?: (
    call: Call,
    answer: unknown,
    there: { readonly world: World; readonly elsewhere: Elsewhere },
  ) => void;
  readonly onClockRead?: (what: 'now' | 'elapsed') => void;
  /** Receives the lines that the program would write to its event file. */
  readonly evidence?: ((line: string) => void) | undefined;
  /** Call at which the CI cancels the job. */
  readonly cancelAt?: number;
}

/** Runs the product once in a world, to its end or death, with at most one fault. */
export async function runOnce(
  world: World,
  order: RunOrder,
  { strike, also, onCall, onEnd, onClockRead, evidence, cancelAt }: RunHooks = {},
): Promise<RunReport> {
  const cancel = new AbortController();
  setMaxListeners(0, cancel.signal);
  let struck = false;
  let older: World | undefined;
  const simulation = createSimulation({
    world,
    limitMs,
    intercept(call) {
      onCall?.(call, world);
      if (call.own === cancelAt) cancel.abort();
      const due = [also, strike].find((one) => one?.call === call.own);
      // A random fault may be impossible at this call.
      if (due === undefined || !canStrike(call, due.mode)) return undefined;
      struck ||= due === strike;
      return faultAt(due.mode, call);
    },
    older: () => older,
    ...(onClockRead === undefined ? {} : { clockRead: onClockRead }),
    ...(onEnd === undefined
      ? {}
      : { ended: (call, answer, elsewhere) => onEnd(call, answer, { world, elsewhere }) }),
    about(call) {
      if (call.own === strike?.staleSince) older = structuredClone(world);
    },
  });
  const ending = await drive(simulation, order.command, {
    ...order,
    signal: cancel.signal,
    ...(evidence === undefined ? {} : { evidence }),
  });
  return { ending, trace: simulation.trace, events: ending.events, struck };
}

function canStrike(call: Call, mode: FaultMode): boolean {
  if (isLateMode(mode)) return lateModesOf(call).includes(mode);
  return isMachineMode(mode) || modesOf(call).includes(mode);
}
