import type { Clock } from '../../../src/ports/clock.ts';
import type { Sandbox } from '../../sandbox.ts';
import { type Reading, readSandbox, type WatchedStack } from '../stack-reading.ts';

/** Watch that observes the sandbox repeatedly, beside the scenario. */
export interface Watch {
  readonly readings: readonly Reading[];
  now(): Reading;
  /** Resolves once the record is in this phase. Rejects with the signal. */
  untilPhase(phase: string, signal: AbortSignal): Promise<void>;
  /** Resolves to the first observation that satisfies `isSeen`. Rejects with the signal. */
  until(isSeen: (reading: Reading) => boolean, signal: AbortSignal): Promise<Reading>;
  stop(): Promise<void>;
}

const everyMs = 50;
/** Interval of observations, because a phase may pass within milliseconds. */
const closelyMs = 4;

export function startWatch({
  sandbox,
  stack,
  clock,
  onReading,
}: {
  sandbox: Sandbox;
  stack: WatchedStack;
  clock: Clock;
  onReading: (reading: Reading) => void;
}): Watch {
  const readings: Reading[] = [];
  const over = new AbortController();
  const take = () => {
    const reading = readSandbox(sandbox, stack, clock.now());
    readings.push(reading);
    return reading;
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      onReading(take());
      await clock.sleep(everyMs, over.signal).catch(() => undefined);
    }
  })();
  return {
    readings,
    now: take,
    async untilPhase(phase, signal) {
      while (readSandbox(sandbox, stack, clock.now()).record?.phase !== phase)
        await clock.sleep(closelyMs, signal);
    },
    async until(isSeen, signal) {
      for (;;) {
        const reading = take();
        if (isSeen(reading)) return reading;
        await clock.sleep(everyMs, signal);
      }
    },
    async stop() {
      over.abort();
      await watching;
      take();
    },
  };
}
