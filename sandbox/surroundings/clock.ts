import type { SandboxStore } from './store.ts';

/** The sandbox's time: real time plus an offset that only grows. Milliseconds since the epoch. */
export interface SandboxClock {
  now(): number;
  advance(ms: number): void;
}

interface ClockDocument {
  offsetMs: number;
}

/** The offset is kept, so that a sandbox moved by 30 days is still 30 days ahead after a restart. */
export function createSandboxClock({
  store,
  realNow = Date.now,
}: {
  store: SandboxStore;
  realNow?: () => number;
}): SandboxClock {
  const document: ClockDocument = store.load<ClockDocument>('clock') ?? { offsetMs: 0 };
  return {
    now: () => realNow() + document.offsetMs,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) {
        throw new RangeError(`The sandbox's clock moves forward only, not by ${ms} ms.`);
      }
      document.offsetMs += ms;
      store.save('clock', document);
    },
  };
}
