import type { Clock } from '../../ports/clock.ts';
import { createPacer, type Limits, type Pacer } from './pacer.ts';

/** What one host may be asked, over all calls and all stacks of this process together. */
export interface HostBudget extends Pacer {
  /** Takes one repetition; false when none is left. */
  take(): boolean;
  /** A call that went through gives a part of a repetition back. */
  restore(): void;
}

/** One for the whole process; each endpoint has its own, because one that is down says nothing of others. */
export interface CallBudget {
  of(endpoint: string): HostBudget;
}

export interface BudgetLimits extends Limits {
  readonly repetitions: number;
  readonly restoredPerSuccess: number;
}

const usual: BudgetLimits = {
  // One outage must not make every call of a long drain wait through all of its own repetitions;
  // what works again earns its patience back.
  repetitions: 60,
  restoredPerSuccess: 0.5,
  // GitLab.com takes 2,000 calls a minute of one user; a quarter is left to whoever else has the token.
  perMinute: 1500,
  burst: 60,
};

/** Where an account's own limits are known to be lower: docs/decisions/0020-one-schedule.md. */
const known: Readonly<Record<string, Partial<BudgetLimits>>> = {
  'AWS parameter writes': { perMinute: 150, burst: 6 },
  'AWS parameter reads': { perMinute: 1800, burst: 30 },
};

export function createCallBudget({
  clock,
  limits = {},
}: {
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>;
  readonly limits?: Partial<BudgetLimits>;
}): CallBudget {
  const hosts = new Map<string, HostBudget>();
  return {
    of(endpoint) {
      const one =
        hosts.get(endpoint) ?? createHostBudget(clock, { ...usual, ...known[endpoint], ...limits });
      hosts.set(endpoint, one);
      return one;
    },
  };
}

function createHostBudget(
  clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>,
  limits: BudgetLimits,
): HostBudget {
  let left = limits.repetitions;
  return {
    ...createPacer(clock, limits),
    take() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    restore() {
      left = Math.min(limits.repetitions, left + limits.restoredPerSuccess);
    },
  };
}
