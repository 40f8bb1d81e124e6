import type { Clock } from '../../../src/ports/clock.ts';
import type { Sandbox } from '../../sandbox.ts';
import { type Look, lookAt, type WatchedStack } from '../look.ts';

/** Looks at the world again and again, beside whatever happens in it. */
export interface Watch {
  readonly looks: readonly Look[];
  now(): Look;
  /** Resolves as soon as the record is in this phase, and rejects with the signal. */
  untilPhase(phase: string, signal: AbortSignal): Promise<void>;
  /** The first look of which that is true; rejects with the signal. */
  until(isSeen: (look: Look) => boolean, signal: AbortSignal): Promise<Look>;
  stop(): Promise<void>;
}

const everyMs = 50;
/** A phase may pass within milliseconds. */
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
