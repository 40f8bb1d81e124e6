import type { SandboxStore } from './store.ts';

/** Time of the sandbox: real time plus an offset that only grows. Milliseconds since the epoch. */
export interface SandboxClock {
  now(): number;
  advance(ms: number): void;
}

interface ClockDocument {
  offsetMs: number;
}

/**
 * Creates the clock. The offset is stored, so a sandbox that was moved by 30 days stays ahead after
 * a restart.
 */
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
