import type { CallLimit, CallUsage } from '../../domain/call-usage.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Limits } from './allotment.ts';
import { type CallTally, createCallTally } from './call-tally.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { TransportAnswer } from './request.ts';

/** Budget of one host, for all calls and stacks of this process together. */
export interface HostBudget extends Omit<Pacer, 'note'> {
  /** Records the response to a call, or undefined without one. Called once per sent call. */
  note(answer: TransportAnswer | 'throttled' | undefined): void;
  /** Takes one retry. Returns false if none is left. */
  take(): boolean;
  /** Returns part of a retry after a successful call. */
  restore(): void;
}

/** Budgets of the process, one per endpoint: an outage of one proves nothing about others. */
export interface CallBudget {
  /** @param service name for `usage`, such as `GitLab` */
  of(endpoint: string, service?: string): HostBudget;
  /**
   * Sets budgets of the configuration. If the stacks of a process differ, the smallest is in force.
   */
  restrict(endpoint: string, limits: readonly CallLimit[]): void;
  /** Lists the usage of each called endpoint, in the order of the first call. */
  usage(): readonly CallUsage[];
}

interface BudgetLimits extends Limits {
  readonly repetitions: number;
  readonly restoredPerSuccess: number;
}

const usual: BudgetLimits = {
  // The retries are shared: an outage must not make every call of a long drain wait for all its
  // retries. Successful calls return retries.
  repetitions: 60,
  restoredPerSuccess: 0.5,
  // GitLab.com accepts 2,000 calls per minute from one user. A quarter is left for other users of
  // the token.
  perMinute: 1500,
  burst: 60,
};

/** Limits below Parameter Store's 40 reads and 3 writes per second and account. */
const known: Readonly<Record<string, Partial<BudgetLimits>>> = {
  'AWS parameter writes': { perMinute: 150, burst: 6 },
  'AWS parameter reads': { perMinute: 1800, burst: 30 },
};

/** Names from AWS's documentation, by the SDK names that the adapter uses. */
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
