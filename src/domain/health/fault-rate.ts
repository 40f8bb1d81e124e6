/**
 * Whether faults are more than a rate allows.
 *
 * Source: the exact binomial test, and the exact upper bound of C. J. Clopper and E. S. Pearson, "The
 * use of confidence or fiducial limits illustrated in the case of the binomial" (Biometrika 26, 1934).
 * The usual baseline: GitLab saw 1 of 500 jobs end in a runner system failure
 * (https://gitlab.com/gitlab-org/gitlab/-/issues/421889).
 *
 * Unit: every rate and every probability is a part of 1, of jobs that have ended.
 *
 * Error: the tail is a sum of positive terms, each from the one before, to a relative error below 1e-9
 * for up to 100,000 jobs; the bound is halved down to 1e-12. `alpha` is the chance at one look and not
 * of a whole deployment: asked after every job, the chances add up. With the usual rates and a runner
 * that is as good as the baseline, 0.094 % of deployments of 1,000 jobs are found at fault
 * (`npm run bench:bake` computes it). The draws are taken to be independent of each other, so what
 * breaks several jobs at once has to be counted once by whoever asks.
 */
export interface FaultRates {
  /** How often a good runner fails a job. */
  readonly baseline: number;
  /** How unlikely, at the baseline, what was seen has to be. */
  readonly alpha: number;
}

export const usualRates: FaultRates = { baseline: 0.002, alpha: 0.00017 };

/** One fault is no row: at 1 in 500, one in three deployments of 200 jobs has one. */
const leastFaults = 2;

/** A single look's odds beyond which a count is still what the baseline brings. */
const unsurprising = 0.05;

/** The chance that so many or more of the jobs fail at this rate. */
export function chanceOf(faults: number, jobs: number, rate: number): number {
  if (faults <= 0 || rate >= 1) return 1;
  if (faults > jobs || rate <= 0) return 0;
  // Below the mean it is the smaller sum that is exact.
  return faults > jobs * rate
    ? sumFrom(faults, jobs, rate)
    : 1 - sumFrom(jobs - faults + 1, jobs, 1 - rate);
}

function sumFrom(faults: number, jobs: number, rate: number): number {
  let logarithm = (jobs - faults) * Math.log1p(-rate) + faults * Math.log(rate);
  for (let index = 1; index <= faults; index += 1)
    logarithm += Math.log((jobs - faults + index) / index);
  let term = Math.exp(logarithm);
  let sum = 0;
  const odds = rate / (1 - rate);
  for (let count = faults; count <= jobs && term > sum * Number.EPSILON; count += 1) {
    sum += term;
    term *= ((jobs - count) / (count + 1)) * odds;
  }
  return sum;
}

/** The highest rate at which so few faults are not yet rarer than 1 in 20: the upper 95 % bound. */
export function upperBound(faults: number, jobs: number): number {
  if (faults >= jobs) return 1;
  let low = faults / jobs;
  let high = 1;
  while (high - low > 1e-12) {
    const rate = (low + high) / 2;
    if (chanceOf(faults + 1, jobs, rate) < 0.95) low = rate;
    else high = rate;
  }
  return high;
}

/**
 * The larger of the configured baseline and the upper 95 % bound of what a shard had that is known to be
 * good. One without a fault says nothing against the configured one (decision 7).
 */
export function baselineAfter({ baseline }: FaultRates, had: FaultCount): number {
  return had.faults === 0 ? baseline : Math.max(baseline, upperBound(had.faults, had.jobs));
}

export interface FaultCount {
  readonly faults: number;
  readonly jobs: number;
}

/** `too_many`: a runner at the baseline does not do that. `open`: it seldom does; more jobs will tell. */
export function judgeCount(
  { faults, jobs }: FaultCount,
  { baseline, alpha }: FaultRates,
): 'too_many' | 'open' | 'usual' {
  const chance = chanceOf(faults, jobs, baseline);
  if (faults >= leastFaults && chance < alpha) return 'too_many';
  return chance < unsurprising ? 'open' : 'usual';
}
