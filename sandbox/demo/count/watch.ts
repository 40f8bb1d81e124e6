import type { Clock } from '../../../src/ports/clock.ts';
import type { Sandbox } from '../../sandbox.ts';
import { type Look, lookAt, type WatchedStack } from '../look.ts';

/** Watch that observes the sandbox repeatedly, beside the scenario. */
export interface Watch {
  readonly looks: readonly Look[];
  now(): Look;
  /** Resolves once the record is in this phase. Rejects with the signal. */
  untilPhase(phase: string, signal: AbortSignal): Promise<void>;
  /** Resolves to the first observation that satisfies `isSeen`. Rejects with the signal. */
  until(isSeen: (look: Look) => boolean, signal: AbortSignal): Promise<Look>;
  stop(): Promise<void>;
}

const everyMs = 50;
/** Interval of observations, because a phase may pass within milliseconds. */
const closelyMs = 4;

export function startWatch({
  sandbox,
  stack,
  clock,
  onLook,
}: {
  sandbox: Sandbox;
  stack: WatchedStack;
  clock: Clock;
  onLook: (look: Look) => void;
}): Watch {
  const looks: Look[] = [];
  const over = new AbortController();
  const take = () => {
    const look = lookAt(sandbox, stack, clock.now());
    looks.push(look);
    return look;
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      onLook(take());
      await clock.sleep(everyMs, over.signal).catch(() => undefined);
    }
  })();
  return {
    looks,
    now: take,
    async untilPhase(phase, signal) {
      while (lookAt(sandbox, stack, clock.now()).record?.phase !== phase)
        await clock.sleep(closelyMs, signal);
    },
    async until(isSeen, signal) {
      for (;;) {
        const look = take();
        if (isSeen(look)) return look;
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
