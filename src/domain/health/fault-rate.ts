/**
 * Limits for runner system failures.
 * Source: the exact binomial test, and the exact upper bound of C. J. Clopper and E. S. Pearson,
 * "The use of confidence or fiducial limits illustrated in the case of the binomial" (Biometrika
 * 26, 1934). Default baseline: GitLab observed that 1 of 500 jobs ended in a runner system failure
 * (https://gitlab.com/gitlab-org/gitlab/-/issues/421889).
 * Unit: every rate and probability is a fraction of 1, over finished jobs.
 * Precision: the tail is a sum of positive terms, each computed from the previous one. Its relative
 * error is below 1e-9 for up to 100,000 jobs. The bound is bisected down to 1e-12.
 * `alpha` is the false-alarm probability of one check. A check after every job adds up. With the
 * default rates and a runner at the baseline, 0.094 % of deployments of 1,000 jobs get a false
 * alarm (`npm run bench:bake` computes it). Draws are assumed independent: the caller must count
 * failures with one common cause once.
 */
export interface FaultRates {
  /** Failure rate of a good runner. */
  readonly baseline: number;
  /** Probability at the baseline below which the observed failures count as too many. */
  readonly alpha: number;
}

export const usualRates: FaultRates = { baseline: 0.002, alpha: 0.00017 };

/** A single failure proves nothing: at 1 in 500, one in three deployments of 200 jobs has one. */
const leastFaults = 2;

/** Probability above which the observed count is normal at the baseline. */
const unsurprising = 0.05;

/** Probability that at least this many of the jobs fail at this rate. */
export function chanceOf(faults: number, jobs: number, rate: number): number {
  if (faults <= 0 || rate >= 1) return 1;
  if (faults > jobs || rate <= 0) return 0;
  // Below the mean, the smaller sum is the precise one.
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

/**
 * Returns the upper 95 % bound: the highest rate at which so few failures have a probability of 5
 * %.
 */
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
 * Returns the larger of the configured baseline and the upper 95 % bound of a good shard's
 * failures. A shard without failures does not change the configured baseline (decision 7).
 */
export function baselineAfter({ baseline }: FaultRates, had: FaultCount): number {
  return had.faults === 0 ? baseline : Math.max(baseline, upperBound(had.faults, had.jobs));
}

export interface FaultCount {
  readonly faults: number;
  readonly jobs: number;
}

/**
 * Classifies a count. `too_many`: improbable at the baseline. `open`: rare; more jobs will decide.
 */
export function judgeCount(
  { faults, jobs }: FaultCount,
  { baseline, alpha }: FaultRates,
): 'too_many' | 'open' | 'usual' {
  const chance = chanceOf(faults, jobs, baseline);
  if (faults >= leastFaults && chance < alpha) return 'too_many';
  return chance < unsurprising ? 'open' : 'usual';
}
