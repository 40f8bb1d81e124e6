import type { DemoedProgram } from '../screen.ts';
import { startProgram } from './child.ts';

/** How long two starts of the program at once take on two idle cores of a usual computer. */
const usualStartMs = 150;
const rounds = 3;
const watchEveryMs = 5000;
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
  /** Resolves to the factor when the computer was slowest. */
  stop(): Promise<number>;
}

/** Measures again and again: another program may take the processor after the demo has chosen its periods. */
export function watchMachine(program: DemoedProgram, folder: string): MachineWatch {
  const over = new AbortController();
  const signal = AbortSignal.any([program.signal, over.signal]);
  let slowestMs = 0;
  const watching = (async () => {
    while (!signal.aborted) {
      // A start that fails measures nothing. The scene that starts a program then reports it.
      const tookMs = await timeStart(program, folder).catch(() => 0);
      slowestMs = Math.max(slowestMs, tookMs);
      await program.clock.sleep(watchEveryMs, signal).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      over.abort();
      await watching;
      return chooseFactor(slowestMs);
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
