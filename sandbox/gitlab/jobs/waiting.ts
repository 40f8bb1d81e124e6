/** Time for which Workhorse, in front of GitLab, holds a job request. */
export const WORKHORSE_HOLDS_MS = 50_000;

export interface Waiting {
  readonly isOn: boolean;
  /**
   * Resolves when the key is released, the time is over, or `signal` reports a closed connection.
   */
  hold(key: number, signal: AbortSignal): Promise<void>;
  release(key: number): void;
  /** Releases requests whose time is over. */
  expire(): void;
  close(): void;
}

interface Held {
  readonly key: number;
  readonly until: number;
  letGo(): void;
}

/** Holds requests. It has no timer: `expire` must be called, so a moved clock counts. */
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
