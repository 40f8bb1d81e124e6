import {
  baselineAfter,
  type FaultCount,
  type FaultRates,
  judgeCount,
  upperBound,
  usualRates,
} from '../../src/domain/health/fault-rate.ts';
import { causesAmong, chancesOf, type Jobs, type Rule } from './exact.ts';

/** Our own judge, asked after each job. */
export function ours(rates: FaultRates = usualRates, name = 'ours'): Rule {
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

/** As ours, and every job that a cause breaks is a fault of its own. */
export function uncounted(): Rule {
  const rule = ours(usualRates, 'ours, were each broken job a fault');
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

/** Ten jobs to a check, of which 99 % have to succeed; the fifth check that fails takes it back. */
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

/** The bound also of a shard that had no fault at all. */
export const boundOfAny: BaselineRule = ({ baseline }, { faults, jobs }) =>
  Math.max(baseline, upperBound(faults, jobs));

export interface History {
  /** How many jobs of the old shard are known, and of which kind. */
  readonly known: number;
  readonly of: Jobs;
  readonly baselineRule?: BaselineRule;
}

/** Our own judge's chances after what the old shard had, over all that it can have had. */
export function chancesAfter(
  { known, of, baselineRule = baselineAfter }: History,
  jobs: Jobs,
  count: number,
): readonly number[] {
  const mixed = Array.from({ length: count + 1 }, () => 0);
  for (const [faults, weight] of causesAmong(of, known).entries()) {
    if (weight < 1e-12) continue;
    const baseline = baselineRule(usualRates, { faults, jobs: known });
    const chances = chancesOf(ours({ ...usualRates, baseline }), jobs, count);
    for (const [number, chance] of chances.entries())
      mixed[number] = (mixed[number] ?? 0) + weight * chance;
  }
  return mixed;
}
