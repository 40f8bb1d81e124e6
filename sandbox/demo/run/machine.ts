import type { Interval } from '../count/history.ts';
import { type Slowness, startEveryMs } from '../count/slowness.ts';
import type { DemoedProgram } from '../screen.ts';
import { startProgram } from './child.ts';

/** How long two starts of the program at once take on two idle cores of a usual computer. */
const usualStartMs = 150;
const rounds = 3;
/** A timer that comes so late shows that the computer stood still, or that the demo had no processor. */
const leastStallMs = 200;
const timerMs = 100;
const atOnce = 2;
/** A little slower is what the windows allow anyway. */
const leastFactor = 1.3;
const mostFactor = 10;

/** How many times slower this computer is now than a usual one: 1 or more, in tenths. */
export async function measureFactor(program: DemoedProgram, folder: string): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    tookMs.push(await timeStart(program, folder));
    program.signal.throwIfAborted();
  }
  // The median: one start that another program has held up says nothing of the others.
  return chooseFactor([...tookMs].sort((one, other) => one - other)[1] ?? 0);
}

export interface MachineWatch {
  /** Resolves to when the computer was slow. */
  stop(): Promise<Slowness>;
}

/**
 * Times a start every few seconds, as another program may take the processor after the demo has chosen its
 * periods, and notes in between when a timer comes late.
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
      // A start that fails measures nothing. The scenario that starts a program then reports it.
      const tookMs = await timeStart(program, folder).catch(() => 0);
      starts.push({ from, to: clock.now(), factor: chooseFactor(tookMs) });
      await clock.sleep(startEveryMs, signal).catch(() => undefined);
    }
  }
  // By the clock that the waits of jobs are measured by: if it jumps, they are longer as well.
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
