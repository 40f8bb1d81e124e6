import {
  baselineAfter,
  type FaultCount,
  type FaultRates,
  judgeCount,
  upperBound,
  usualRates,
} from '../../src/domain/health/fault-rate.ts';
import { causesAmong, chancesOf, type Jobs, type Rule } from './exact.ts';

/** Returns the program's own rule, applied after each job. */
export function createOwnRule(rates: FaultRates = usualRates, name = 'ours'): Rule {
  const limits: number[] = [2];
  const limitAt = (jobs: number) => {
    // More jobs never allow fewer faults.
    for (let number = limits.length; number <= jobs; number += 1) {
      let faults = limits[number - 1] ?? 2;
      while (faults <= number && judgeCount({ faults, jobs: number }, rates) !== 'too_many')
        faults += 1;
      limits.push(Math.max(faults, 2));
    }
    return limits[jobs] ?? Number.POSITIVE_INFINITY;
  };
  return {
    name,
    source: 'src/domain/health/fault-rate.ts, judged after every job',
    begin: '0',
    after(kept, { number, isFault, isSameCause }) {
      const faults = Number(kept) + (isFault && !isSameCause ? 1 : 0);
      return faults >= limitAt(number) ? undefined : String(faults);
    },
  };
}

/** Returns the program's rule if every broken job counted as a separate fault. */
export function uncounted(): Rule {
  const rule = createOwnRule(usualRates, 'ours, were each broken job a fault');
  return { ...rule, after: (kept, job) => rule.after(kept, { ...job, isSameCause: false }) };
}

export const oneFault: Rule = {
  name: 'one fault',
  source: 'the first fault of the runner takes it back',
  begin: '',
  after: (kept, { isFault }) => (isFault ? undefined : kept),
};

export const threeInARow: Rule = {
  name: 'three in a row',
  source: 'a probe’s failureThreshold of 3, each job a probe',
  begin: '0',
  after(kept, { isFault }) {
    const row = isFault ? Number(kept) + 1 : 0;
    return row >= 3 ? undefined : String(row);
  },
};

const jobsInACheck = 10;
const failedChecks = 5;

/**
 * Flagger's rule: 99 % of ten jobs must succeed in each check, and the fifth failed check rolls
 * back.
 */
export const flagger: Rule = {
  name: 'Flagger’s count',
  source:
    'https://docs.flagger.app/usage/metrics: request-success-rate min 99, threshold 5; a check of ten jobs',
  begin: '0/0',
  after(kept, { number, isFault }) {
    const [failed = 0, seen = 0] = kept.split('/').map(Number);
    const hasFailed = isFault || seen === 1;
    if (number % jobsInACheck !== 0) return `${failed}/${hasFailed ? 1 : 0}`;
    const now = failed + (hasFailed ? 1 : 0);
    return now >= failedChecks ? undefined : `${now}/0`;
  },
};

type BaselineRule = (rates: FaultRates, had: FaultCount) => number;

/** Applies the bound also to a shard without any fault. */
export const boundOfAny: BaselineRule = ({ baseline }, { faults, jobs }) =>
  Math.max(baseline, upperBound(faults, jobs));

export interface History {
  /** Number and kind of the old shard's known jobs. */
  readonly known: number;
  readonly of: Jobs;
  readonly baselineRule?: BaselineRule;
}

/**
 * Returns the probabilities of the program's rule, weighted over every possible history of the old
 * shard.
 */
export function chancesAfter(
  { known, of, baselineRule = baselineAfter }: History,
  jobs: Jobs,
  count: number,
): readonly number[] {
  const mixed = Array.from({ length: count + 1 }, () => 0);
  for (const [faults, weight] of causesAmong(of, known).entries()) {
    if (weight < 1e-12) continue;
    const baseline = baselineRule(usualRates, { faults, jobs: known });
    const chances = chancesOf(createOwnRule({ ...usualRates, baseline }), jobs, count);
    for (const [number, chance] of chances.entries())
      mixed[number] = (mixed[number] ?? 0) + weight * chance;
  }
  return mixed;
}
