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

/** The longest job that customers run takes two hours; what takes longer than this does not end. */
const limitMs = 8 * 3_600_000;

export interface RunOrder {
  readonly command: Command;
  readonly deploymentId: string;
  readonly jobId: string;
}

export interface Strike {
  readonly call: number;
  readonly mode: FaultMode;
  /** For a stale read: the call before which the world was as the read shows it. */
  readonly staleSince?: number;
}

export interface RunReport {
  readonly ending: Ending;
  readonly trace: readonly TraceEntry[];
  readonly events: readonly LogEvent[];
  /** Whether the fault struck at all. */
  readonly struck: boolean;
}

export interface RunHooks {
  readonly strike?: Strike;
  /** A second fault in the same run. */
  readonly also?: Strike;
  /** Told of every call, before it. */
  readonly onCall?: (call: Call, world: World) => void;
  /** Told of every call as it ends. */
  readonly onEnd?: (
    call: Call,
    answer: unknown,
    there: { readonly world: World; readonly elsewhere: Elsewhere },
  ) => void;
  readonly onClockRead?: (what: 'now' | 'elapsed') => void;
  /** Gets the lines that the program would write to its event file. */
  readonly evidence?: ((line: string) => void) | undefined;
  /** The CI cancels the job at this call. */
  readonly cancelAt?: number;
}

/** One run of our program in a world, to its end or its death, with at most one fault. */
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
      // Drawn by chance, it may be none that can happen to this call.
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
