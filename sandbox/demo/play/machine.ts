import type { DemoedProgram } from '../screen.ts';
import { startProgram } from './child.ts';

/** How long two starts of the program at once take on two idle cores of a usual computer. */
const usualStartMs = 150;
const rounds = 3;
const atOnce = 2;
/** A little slower is what the windows allow anyway. */
const leastFactor = 1.3;
const mostFactor = 10;

/** How many times slower this computer is now than a usual one: 1 or more, in tenths. */
export async function measureFactor(program: DemoedProgram, folder: string): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = program.clock.elapsed();
    await Promise.all(Array.from({ length: atOnce }, () => startOnce(program, folder)));
    tookMs.push(program.clock.elapsed() - from);
    program.signal.throwIfAborted();
  }
  return chooseFactor(tookMs);
}

/** The median: one start that another program has held up says nothing of the others. */
export function chooseFactor(tookMs: readonly number[]): number {
  const sorted = [...tookMs].sort((one, other) => one - other);
  const factor = (sorted[Math.floor(sorted.length / 2)] ?? 0) / usualStartMs;
  return factor < leastFactor ? 1 : Math.min(mostFactor, Math.round(factor * 10) / 10);
}

async function startOnce({ command, environment, signal }: DemoedProgram, folder: string) {
  const PATH = environment['PATH'] ?? '';
  const args = ['version'];
  const call = { command, args, environment: { PATH }, folder, signal, onLine: () => {} };
  await startProgram(call).ended;
}
