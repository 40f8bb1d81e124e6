import type { Interval } from '../count/history.ts';
import { type Slowness, startEveryMs } from '../count/slowness.ts';
import type { DemoedProgram } from '../screen.ts';
import { startProgram } from './child.ts';

/** Duration of two simultaneous starts of the program on two idle cores of a usual computer. */
const usualStartMs = 150;
const rounds = 3;
/** Delay of a timer that counts as a stall of the computer or the demo. */
const leastStallMs = 200;
const timerMs = 100;
const atOnce = 2;
/** Factor below which a slower computer does not matter. */
const leastFactor = 1.3;
const mostFactor = 10;

/** Measures how many times slower this computer is than a usual one: 1 or more, in tenths. */
export async function measureFactor(program: DemoedProgram, folder: string): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    tookMs.push(await timeStart(program, folder));
    program.signal.throwIfAborted();
  }
  // The median excludes one start that another program has delayed.
  return chooseFactor([...tookMs].sort((one, other) => one - other)[1] ?? 0);
}

export interface MachineWatch {
  /** Stops the watch. Resolves to the times at which the computer was slow. */
  stop(): Promise<Slowness>;
}

/**
 * Watches the computer: times a start every few seconds, and records late timers in between.
 * Another program may use the processor after the demo has chosen its periods.
 */
export function watchMachine(program: DemoedProgram, folder: string): MachineWatch {
  const { clock } = program;
  const over = new AbortController();
  const signal = AbortSignal.any([program.signal, over.signal]);
  const starts: Slowness['starts'][number][] = [];
  const stalls: Interval[] = [];
  async function watchStarts(): Promise<void> {
    while (!signal.aborted) {
      const from = clock.now();
      // A failed start measures nothing. The scenario that starts a program reports the failure.
      const tookMs = await timeStart(program, folder).catch(() => 0);
      starts.push({ from, to: clock.now(), factor: chooseFactor(tookMs) });
      await clock.sleep(startEveryMs, signal).catch(() => undefined);
    }
  }
  // Watches a timer by the clock that also measures the waits of jobs: a jump lengthens both.
  async function watchTimer(): Promise<void> {
    while (!signal.aborted) {
      const due = clock.now() + timerMs;
      await clock.sleep(timerMs, signal).catch(() => undefined);
      const now = clock.now();
      if (now - due >= leastStallMs) stalls.push({ from: due, to: now });
    }
  }
  const watching = Promise.all([watchStarts(), watchTimer()]);
  return {
    async stop() {
      over.abort();
      await watching;
      return { starts, stalls };
    },
  };
}

export function chooseFactor(tookMs: number): number {
  const factor = tookMs / usualStartMs;
  return factor < leastFactor ? 1 : Math.min(mostFactor, Math.round(factor * 10) / 10);
}

async function timeStart(program: DemoedProgram, folder: string): Promise<number> {
  const from = program.clock.elapsed();
  await Promise.all(Array.from({ length: atOnce }, () => startOnce(program, folder)));
  return program.clock.elapsed() - from;
}

async function startOnce({ command, environment, signal }: DemoedProgram, folder: string) {
  const PATH = environment['PATH'] ?? '';
  const args = ['version'];
  const call = { command, args, environment: { PATH }, folder, signal, onLine: () => {} };
  await startProgram(call).ended;
}
