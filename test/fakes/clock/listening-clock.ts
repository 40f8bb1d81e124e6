import type { Clock } from '../../../src/ports/clock.ts';

/** Reports each read of the clock. */
export function listening(
  clock: Clock,
  clockRead: ((what: 'now' | 'elapsed') => void) | undefined,
): Clock {
  if (clockRead === undefined) return clock;
  const { now, elapsed, sleep } = clock;
  return {
    now() {
      clockRead('now');
      return now();
    },
    elapsed() {
      clockRead('elapsed');
      return elapsed();
    },
    sleep,
  };
}
