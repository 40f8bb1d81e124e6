import type { CallLimit, CallUsage } from '../../domain/call-usage.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Limits } from './allotment.ts';
import { type CallTally, createCallTally } from './call-tally.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { TransportAnswer } from './request.ts';

/** What one host may be asked, over all calls and all stacks of this process together. */
export interface HostBudget extends Omit<Pacer, 'note'> {
  /** Once for each call that went out: what it was answered, if it was. */
  note(answer: TransportAnswer | 'throttled' | undefined): void;
  /** Takes one repetition; false when none is left. */
  take(): boolean;
  /** A call that went through gives a part of a repetition back. */
  restore(): void;
}

/** One for the whole process; each endpoint has its own, because one that is down says nothing of others. */
export interface CallBudget {
  /** @param service the name of whom it calls, for `usage`: `GitLab` */
  of(endpoint: string, service?: string): HostBudget;
  /** Sets budgets of the configuration. If stacks of one process differ, the smallest is in force. */
  restrict(endpoint: string, limits: readonly CallLimit[]): void;
  /** Of each endpoint that was called, in the order of the first call. */
  usage(): readonly CallUsage[];
}

interface BudgetLimits extends Limits {
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

/** Parameter Store accepts 40 reads and 3 writes a second for an account; these stay below. */
const known: Readonly<Record<string, Partial<BudgetLimits>>> = {
  'AWS parameter writes': { perMinute: 150, burst: 6 },
  'AWS parameter reads': { perMinute: 1800, burst: 30 },
};

/** Names of AWS's own documentation, for what AWS's adapter calls by the names of its SDK. */
const services: Readonly<Record<string, readonly [string, string]>> = {
  'AWS parameter reads': ['Parameter Store', 'reads'],
  'AWS parameter writes': ['Parameter Store', 'writes'],
  'AWS SSM': ['Systems Manager', ''],
};

interface Counted {
  readonly budget: HostBudget;
  readonly tally: CallTally;
  service?: string | undefined;
}

export function createCallBudget({
  clock,
  limits = {},
}: {
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>;
  readonly limits?: Partial<BudgetLimits>;
}): CallBudget {
  const hosts = new Map<string, Counted>();
  const find = (endpoint: string): Counted => {
    const one =
      hosts.get(endpoint) ?? createCounted(clock, { ...usual, ...known[endpoint], ...limits });
    hosts.set(endpoint, one);
    return one;
  };
  return {
    of(endpoint, service) {
      const one = find(endpoint);
      one.service ??= service;
      return one.budget;
    },
    restrict(endpoint, all) {
      for (const limit of all) find(endpoint).budget.restrict(limit);
    },
    usage: () =>
      [...hosts].flatMap(([endpoint, { budget, tally, service }]) => {
        const counted = tally.read();
        if (counted.calls === 0) return [];
        const own = service === undefined ? undefined : ([service, endpoint] as const);
        const [name, detail] = own ?? services[endpoint] ?? [endpoint.replace(/^AWS /, ''), ''];
        return [{ service: name, endpoint: detail, ...counted, limits: budget.limits() }];
      }),
  };
}

function createCounted(
  clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>,
  limits: BudgetLimits,
): Counted {
  const tally = createCallTally(clock);
  const pacer = createPacer(clock, limits);
  let left = limits.repetitions;
  const budget: HostBudget = {
    ...pacer,
    note(answer) {
      tally.note(answer);
      pacer.note(answer === 'throttled' ? undefined : answer);
    },
    take() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    restore() {
      left = Math.min(limits.repetitions, left + limits.restoredPerSuccess);
    },
  };
  return { budget, tally };
}
