import type { CallUsage } from '../../domain/call-usage.ts';
import type { Clock } from '../../ports/clock.ts';
import { isThrottled, readAllowance } from './answers/retry-after.ts';
import type { TransportAnswer } from './request.ts';

type Counted = Pick<CallUsage, 'calls' | 'last_minute' | 'last_hour' | 'throttled' | 'remaining'>;

/** Count of the calls to one endpoint, at their end. It decides nothing. */
export interface CallTally {
  /** Records the response to a call, or undefined without one. Called once per sent call. */
  note(answer: TransportAnswer | 'throttled' | undefined): void;
  read(): Counted;
}

const slots = 60;

export function createCallTally(clock: Pick<Clock, 'now' | 'elapsed'>): CallTally {
  const minute = createWindow(clock, 60_000);
  const hour = createWindow(clock, 3_600_000);
  let calls = 0;
  let throttled = 0;
  let left: (NonNullable<CallUsage['remaining']> & { readonly until: number }) | undefined;
  return {
    note(answer) {
      calls += 1;
      minute.add();
      hour.add();
      if (answer === undefined) return;
      if (answer === 'throttled' || isThrottled(answer)) throttled += 1;
      if (answer === 'throttled') return;
      const now = clock.now();
      const allowed = readAllowance(answer.headers, now);
      if (allowed === undefined) return;
      const { limit: of, remaining, resetInMs } = allowed;
      const until = clock.elapsed() + resetInMs;
      left = { calls: remaining, of, resets_at: isoOf(now + resetInMs), until };
    },
    read() {
      const { until, ...remaining } = left ?? { until: 0 };
      const isKnown = left !== undefined && until > clock.elapsed();
      return {
        calls,
        last_minute: minute.sum(),
        last_hour: hour.sum(),
        throttled,
        remaining: isKnown ? (remaining as CallUsage['remaining']) : null,
      };
    },
  };
}

/** Formats a time. Node has no date for a reset in a million years. */
function isoOf(ms: number): string {
  return new Date(Math.min(ms, 8.64e15)).toISOString();
}

/** Counts in sixtieths of the period, for any number of calls. */
function createWindow(clock: Pick<Clock, 'elapsed'>, periodMs: number) {
  const counts = new Map<number, number>();
  const slotOf = () => Math.floor((clock.elapsed() * slots) / periodMs);
  return {
    add() {
      const slot = slotOf();
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
      for (const old of counts.keys()) if (old <= slot - slots) counts.delete(old);
    },
    sum() {
      const slot = slotOf();
      return [...counts].reduce((sum, [at, count]) => sum + (at > slot - slots ? count : 0), 0);
    },
  };
}
