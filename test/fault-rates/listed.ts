import { usualRates } from '../../src/domain/health/fault-rate.ts';
import { joinEndings } from '../../src/domain/health/job-history.ts';
import { judgeFaults } from '../../src/domain/health/runner-faults.ts';
import type { FinishedJob } from '../../src/domain/registration.ts';
import { createOwnRule } from './rules.ts';

/**
 * Two jobs between two checks, one check a minute: the highest rate that separates a fault from the
 * previous one.
 */
export const jobsInALook = 2;
/** Number of jobs per result that a new process can list (`readJobHistory`). */
const listed = 1000;

/**
 * Lists the faults that a check sees after `now` jobs, with the number that the list gives each.
 */
type Listing = (faults: readonly number[], now: number) => readonly number[];

/** Lists all failures since the first. Hidden successes count before them. */
export const withTotals: Listing = (faults, now) => {
  const failedSoFar = faults.filter((at) => at <= now);
  const succeeded = now - failedSoFar.length;
  if (succeeded <= listed) return failedSoFar;
  const hidden = succeeded - listed;
  const from = firstListed(failedSoFar, hidden);
  return failedSoFar.map((at, index) => (at < from ? hidden + index + 1 : at));
};

/** Returns the first listed success if `hidden` are not listed. */
function firstListed(faults: readonly number[], hidden: number): number {
  let from = hidden + 1;
  for (const at of faults) if (at <= from) from += 1;
  return from;
}

/** Lists faults as if only the newest hundred jobs existed. */
export const newestHundred: Listing = (faults, now) => {
  const from = Math.max(0, now - 100);
  return faults.flatMap((at) => (at > from && at <= now ? [at - from] : []));
};

/**
 * Estimates by samples the part of good shards that roll back within a number of jobs. A cut list
 * has too many states for an exact sum. With 100,000 shards, three standard errors of 0.1 % are
 * 0.03 %.
 */
export function backsWithin(
  jobs: number,
  { listing, shards }: { readonly listing: Listing; readonly shards: number },
): number {
  const limits = limitsOf(jobs);
  const random = createRandom(jobs);
  let backs = 0;
  for (let shard = 0; shard < shards; shard += 1) {
    const faults = drawFaults(jobs, random);
    if (faults.length >= 2 && isRolledBack(faults, { jobs, listing, limits })) backs += 1;
  }
  return backs / shards;
}

function isRolledBack(
  faults: readonly number[],
  {
    jobs,
    listing,
    limits,
  }: { readonly jobs: number; readonly listing: Listing; readonly limits: readonly number[] },
): boolean {
  for (let now = jobsInALook; now <= jobs; now += jobsInALook) {
    const found = listing(faults, now);
    if (found.some((at, index) => index + 1 >= (limits[at] ?? Number.POSITIVE_INFINITY)))
      return true;
  }
  return false;
}

/** Returns the number of faults that is too high, by the number of jobs. */
function limitsOf(most: number): readonly number[] {
  const rule = createOwnRule();
  const limits = [Number.POSITIVE_INFINITY];
  let faults = 2;
  for (let number = 1; number <= most; number += 1) {
    const isGood = () =>
      rule.after(`${faults - 1}`, { number, isFault: true, isSameCause: false }) !== undefined;
    while (isGood()) faults += 1;
    limits.push(faults);
  }
  return limits;
}

function drawFaults(jobs: number, random: () => number): number[] {
  const faults: number[] = [];
  const logarithm = Math.log1p(-usualRates.baseline);
  let at = 0;
  for (;;) {
    at += 1 + Math.floor(Math.log(1 - random()) / logarithm);
    if (at > jobs) return faults;
    faults.push(at);
  }
}

/** Applies the program's own verdict to the same list, to confirm the sums above. */
export function verdictAt(faults: readonly number[], now: number) {
  const all = Array.from({ length: now }, (_, index) => jobOf(index + 1, faults)).reverse();
  const of = (ending: FinishedJob['status']) => {
    const jobs = all.filter(({ status }) => status === ending);
    return { jobs: jobs.slice(0, listed), unlisted: Math.max(0, jobs.length - listed) };
  };
  const { jobs, older } = joinEndings({ success: of('success'), failed: of('failed') });
  return judgeFaults({
    jobs: [...jobs, ...older.failed],
    unlisted: older.others,
    elsewhere: [],
    outages: [],
    before: [],
    rates: usualRates,
  });
}

export function isRolledBackAt(faults: readonly number[], now: number): boolean {
  const limits = limitsOf(now);
  return withTotals(faults, now).some((at, index) => index + 1 >= (limits[at] ?? 0));
}

function jobOf(number: number, faults: readonly number[]): FinishedJob {
  const isFault = faults.includes(number);
  return {
    id: String(number),
    name: `build ${number % 7}`,
    project: `acme/${number % 5}`,
    status: isFault ? 'failed' : 'success',
    ...(isFault ? { failureReason: 'runner_system_failure' } : {}),
    startedAt: new Date(number * 60_000).toISOString(),
    durationMs: 1000,
    url: '',
  };
}

/** Creates a Mulberry32 generator, which repeats the numbers in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
