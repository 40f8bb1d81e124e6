/** So long does Workhorse, before GitLab proper, hold a request for a job. */
export const WORKHORSE_HOLDS_MS = 50_000;

export interface Waiting {
  readonly isOn: boolean;
  /** Until the key is released, the time is over, or `signal` says that nobody listens any more. */
  hold(key: number, signal: AbortSignal): Promise<void>;
  release(key: number): void;
  /** Lets go of what waited long enough by the clock. */
  expire(): void;
  close(): void;
}

interface Held {
  readonly key: number;
  readonly until: number;
  letGo(): void;
}

/** Whoever holds must be told of time: there is no timer of its own, so a clock that is moved counts. */
export function createWaiting({ now, longPollMs }: { now(): number; longPollMs: number }): Waiting {
  const held = new Set<Held>();
  let isClosed = false;
  const letGoOf = (which: (one: Held) => boolean) => {
    for (const one of [...held]) if (which(one)) one.letGo();
  };
  return {
    isOn: longPollMs > 0,
    hold(key, signal) {
      if (isClosed || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const one: Held = {
          key,
          until: now() + longPollMs,
          letGo() {
            held.delete(one);
            signal.removeEventListener('abort', one.letGo);
            resolve();
          },
        };
        held.add(one);
        signal.addEventListener('abort', one.letGo, { once: true });
      });
    },
    release: (key) => letGoOf((one) => one.key === key),
    expire: () => letGoOf((one) => one.until <= now()),
    close() {
      isClosed = true;
      letGoOf(() => true);
    },
  };
}
