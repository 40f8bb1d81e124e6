import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { forEachStack } from '../../src/app/many-stacks/stack-loop.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { drainForever, settingsOf } from './draining-stack.ts';
import { simulateGitLab } from './simulated-gitlab.ts';

export interface SimulatedDrains {
  readonly stacks: number;
  /** GitLab calls per stack after the first minutes of its drain. */
  readonly callsAMinute: number;
  /** GitLab calls of all stacks in their first hour. */
  readonly callsAnHour: number;
  /** Calls that a limit of 15,000 an hour refuses with 429. */
  readonly refused: number;
}

const minute = 60_000;
/** Limit that GitLab.com has announced for Premium. */
const mostAnHour = 15_000;
/** Time after which a drain's additional first calls have ended. */
const settledAfterMinutes = 6;

/**
 * Simulates the drains of many stacks in one process on virtual time. It uses the real stage and
 * GitLab's adapter, which shares the reads of its stacks.
 */
export async function simulateDrains(stacks: number, forMinutes = 60): Promise<SimulatedDrains> {
  const time = createTime();
  const minutes: number[] = [];
  beginDrains(stacks, time, () => {
    const at = Math.floor(time.elapsed() / minute);
    minutes[at] = (minutes[at] ?? 0) + 1;
  });
  await time.until((settledAfterMinutes + forMinutes) * minute);
  const sum = (counts: readonly number[]) => counts.reduce((all, calls) => all + calls, 0);
  const callsAnHour = sum(minutes.slice(0, 60));
  return {
    stacks,
    callsAMinute: sum(minutes.slice(settledAfterMinutes)) / stacks / forMinutes,
    callsAnHour,
    refused: Math.max(0, callsAnHour - mostAnHour),
  };
}

/** Measures the maximum memory in MiB of the same drains in wall-clock time. */
export async function measureMemory(stacks: number, forMs: number): Promise<number> {
  const clock = createSystemClock();
  beginDrains(stacks, clock, () => {});
  await clock.sleep(forMs);
  return process.resourceUsage().maxRSS / 1024;
}

/** Begins drains like `finalize --all`. They never end. */
function beginDrains(stacks: number, clock: Clock, count: () => void): void {
  const gitlab = simulateGitLab(clock, count);
  const opened = Array.from({ length: stacks }, (_, stack) => gitlab.openStack(stack));
  const settings = opened.map(settingsOf);
  const program = {
    redactor: createRedactor(),
    showError: fail,
    signal: new AbortController().signal,
    typed: { command: 'finalize', again: () => 'hosted-runner finalize --all' },
  };
  void forEachStack(program, { name: 'finalize', stacks: settings }, async (one) => {
    const stack = settings.indexOf(one);
    // Stacks begin at different moments.
    await clock.sleep((stack / stacks) * minute);
    const simulated = opened[stack];
    if (simulated !== undefined) await drainForever(clock, one, simulated);
  }).then(() => fail('the drains have ended'));
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** Creates time that passes when all stacks wait. */
function createTime() {
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => Date.parse('2026-11-02T08:00:00.000Z') + now,
    elapsed: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const at = now + Math.max(0, ms);
        const end = () => reject(signal?.reason);
        const wake = () => {
          signal?.removeEventListener('abort', end);
          resolve();
        };
        signal?.addEventListener('abort', end, { once: true });
        let low = 0;
        let high = sleepers.length;
        // The next sleeper is at the end.
        while (low < high) {
          const middle = (low + high) >> 1;
          if ((sleepers[middle]?.at ?? 0) > at) low = middle + 1;
          else high = middle;
        }
        sleepers.splice(low, 0, { at, wake });
      }),
    async until(end: number) {
      for (;;) {
        await new Promise((resolve) => process.nextTick(resolve));
        const next = sleepers.at(-1);
        if (next === undefined || next.at > end) return;
        sleepers.pop();
        now = next.at;
        next.wake();
      }
    },
  };
}
