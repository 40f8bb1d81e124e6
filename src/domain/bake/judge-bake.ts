import type { FaultVerdict } from '../health/runner-faults.ts';
import type { BakeSettings } from '../settings.ts';
import { formatDuration } from '../text/duration.ts';
import { badChecks, latencyOf } from './latency.ts';

/** Results of one check. */
export interface BakeCheck {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly signals: readonly SignalReading[];
  /** Verdict on the customers' jobs of the promoted shard, calculated as if after each job. */
  readonly faults: FaultVerdict;
  /** Customer jobs that finished on the promoted shard since its promotion. */
  readonly finished: number;
}

/** Result of one signal. `unknown`: no response, or one that is neither good nor bad. */
export interface SignalReading {
  /** Name as in the configuration: `health`, `starvation`, `prometheus[0]`, `canary`. */
  readonly signal: string;
  /** A signal with `report` is printed and decides nothing. */
  readonly requirement: 'required' | 'report';
  readonly value: 'good' | 'bad' | 'unknown';
  readonly detail: string;
  /** Milliseconds that the signal must stay bad, in addition to three bad checks. */
  readonly heldMs?: number;
}

export type BakeVerdict =
  | {
      readonly kind: 'watching';
      readonly reason: string;
      readonly reported: readonly Reported[];
      readonly nextCheckMs: number;
      /** The next check runs a canary: finished jobs hide a shard that no longer starts jobs. */
      readonly needs?: 'canary';
    }
  | {
      readonly kind: 'healthy' | 'unhealthy' | 'inconclusive';
      readonly reason: string;
      /** Results of the signals with requirement `report`. */
      readonly reported: readonly Reported[];
      /** Name of the bad signal; absent if the customers' jobs are bad. */
      readonly signal?: string;
    };

export interface Reported {
  readonly signal: string;
  readonly text: string;
}

export interface BakeFacts {
  /** Oldest first. Checks of this process only: none are stored between processes. */
  readonly checks: readonly BakeCheck[];
  readonly sincePromotedMs: number;
  /** Number of checks since the absolute end in the record; 0 before that end. */
  readonly checksPastEnd: number;
  readonly settings: BakeSettings;
}

/**
 * Returns the verdict on the promoted shard. A missing response neither extends a series of bad
 * checks nor ends it (decision 12).
 */
export function judgeBake(facts: BakeFacts): BakeVerdict {
  const { checks, checksPastEnd, sincePromotedMs, settings } = facts;
  const isOver = checksPastEnd > 0;
  const reported = ofRequirement(checks, 'report').flatMap(({ reading: { signal }, row }) =>
    row.isSettled ? [{ signal, text: describeRow(row) }] : [],
  );
  const last = checks.at(-1);
  if (last === undefined) {
    const reason = 'no check has run yet';
    return { kind: 'watching', reason, reported, nextCheckMs: 0 };
  }
  if (last.faults.kind === 'unhealthy')
    return { kind: 'unhealthy', reason: last.faults.reason, reported };
  const required = ofRequirement(checks, 'required');
  const settled = required.find(({ row }) => row.isSettled);
  if (settled !== undefined) {
    const { reading, row } = settled;
    return { kind: 'unhealthy', reason: describeRow(row), reported, signal: reading.signal };
  }

  const watch = (reason: string, more: { needs?: 'canary' } = {}): BakeVerdict => ({
    kind: 'watching',
    reason,
    reported,
    nextCheckMs: more.needs === undefined ? untilNextCheck(facts) : 0,
    ...more,
  });
  // A series of bad checks is continued to its verdict, for a limited time also after the end of
  // the bake.
  const begun = required.find(({ row }) => row.checkCount > 0);
  const isFollowed = followedPastEnd(facts) < mostFollowed(settings);
  const isWatchedLongEnough = sincePromotedMs >= (settings.forMs ?? 0);
  if (needsCanary(facts, isWatchedLongEnough || isOver))
    return watch('one more canary has to verify it', { needs: 'canary' });
  if (begun !== undefined && isFollowed) return watch(describeRow(begun.row));
  const missing = findMissing(last, required, settings);
  if (isWatchedLongEnough && missing.length === 0)
    return { kind: 'healthy', reason: describeGood(last), reported };
  const remains = `${formatDuration((settings.forMs ?? 0) - sincePromotedMs)} of ${formatDuration(settings.forMs ?? 0)} remain`;
  if (!isOver) return watch(isWatchedLongEnough ? missing.join('; ') : remains);
  // `for` was lengthened during the bake: the end in the record does not move with it.
  const short = isWatchedLongEnough ? [] : [`${remains}, but the bake has reached its end`];
  return { kind: 'inconclusive', reason: [...short, ...missing].join('; '), reported };
}

/**
 * Returns the most checks after the end: twice the number for a verdict, because some have no
 * response and signals may turn bad one after another.
 */
function mostFollowed(settings: BakeSettings): number {
  return 2 * Math.ceil(latencyOf(settings).signalsMs / settings.pollMs);
}

/**
 * Counts the last checks after the end during which a required signal was bad. Only a good response
 * ends such a series.
 */
function followedPastEnd({ checks, checksPastEnd }: BakeFacts): number {
  const bad = new Set<string>();
  let followed = 0;
  for (const [index, { signals }] of checks.entries()) {
    for (const { signal, requirement, value } of signals) {
      if (requirement === 'required' && value === 'bad') bad.add(signal);
      if (value === 'good') bad.delete(signal);
    }
    const isPastEnd = index >= checks.length - checksPastEnd;
    followed = isPastEnd && bad.size > 0 ? followed + 1 : 0;
  }
  return followed;
}

/** Lists what is missing for the verdict `healthy`. */
function findMissing(
  last: BakeCheck,
  required: readonly Latest[],
  { jobs }: BakeSettings,
): readonly string[] {
  return [
    ...(last.finished < jobs
      ? [`${last.finished} of ${jobs} customer jobs have finished on the new shard`]
      : []),
    // With `jobs: 0`, the bake waits for no job. Jobs that finished still count.
    ...(last.faults.kind === 'usual' || (jobs === 0 && last.finished === 0)
      ? []
      : [last.faults.reason]),
    ...required.flatMap(({ reading: { signal, value, detail }, row }) => {
      if (row.checkCount > 0) return [describeRow(row)];
      return value === 'good' ? [] : [`${signal}: ${detail}`];
    }),
    // Without a required signal and without a finished job, there is no observation at all.
    ...(required.length > 0 || last.finished > 0
      ? []
      : ['no signal is required, and no customer job has finished on the new shard']),
  ];
}

/**
 * Decides whether a canary is due: from `for` on, once per `for`. This finds a shard that starts no
 * job long before the end. A bad canary is repeated until there are three; one without a result is
 * not.
 */
function needsCanary({ checks, settings }: BakeFacts, isDue: boolean): boolean {
  const { canary } = settings.signals;
  if (canary === 'off' || !isDue) return false;
  const now = checks.at(-1)?.at ?? 0;
  const lastCanary = checks.findLast(({ signals }) =>
    signals.some(({ signal }) => signal === 'canary'),
  );
  const last = ofRequirement(checks, canary).find(({ reading }) => reading.signal === 'canary');
  if (last === undefined || (last.reading.value === 'bad' && !last.row.isSettled)) return true;
  return now - (lastCanary?.at ?? 0) > Math.max(settings.forMs ?? 0, settings.pollMs);
}

/** Latest reading of a signal, and its current series of bad checks. */
interface Latest {
  readonly reading: SignalReading;
  readonly row: Row;
}

interface Row {
  readonly reading: SignalReading;
  readonly checkCount: number;
  readonly lastedMs: number;
  readonly isSettled: boolean;
}

function ofRequirement(
  checks: readonly BakeCheck[],
  requirement: SignalReading['requirement'],
): Latest[] {
  const names = new Set(
    checks.flatMap(({ signals }) =>
      signals.flatMap((one) => (one.requirement === requirement ? [one.signal] : [])),
    ),
  );
  return [...names].flatMap((name) => {
    const answered = checks.flatMap(({ at, signals }) =>
      signals.flatMap((reading) => (reading.signal === name ? [{ at, reading }] : [])),
    );
    const reading = answered.at(-1)?.reading;
    return reading === undefined ? [] : [{ reading, row: rowOf(answered, reading) }];
  });
}

interface SignalAnswer {
  readonly at: number;
  readonly reading: SignalReading;
}

function rowOf(answered: readonly SignalAnswer[], latest: SignalReading): Row {
  const answers = answered.filter(({ reading }) => reading.value !== 'unknown');
  const good = answers.findLastIndex(({ reading }) => reading.value === 'good');
  const bad = answers.slice(good + 1);
  const [first, last] = [bad[0], bad.at(-1)];
  const lastedMs = first === undefined || last === undefined ? 0 : last.at - first.at;
  return {
    reading: last?.reading ?? latest,
    checkCount: bad.length,
    lastedMs,
    isSettled: bad.length >= badChecks && lastedMs >= (latest.heldMs ?? 0),
  };
}

function untilNextCheck({ sincePromotedMs, settings: { forMs = 0, pollMs } }: BakeFacts): number {
  const remainingMs = forMs - sincePromotedMs;
  return remainingMs > 0 ? Math.min(remainingMs, pollMs) : pollMs;
}

function describeRow({ reading: { signal, detail }, checkCount, lastedMs }: Row): string {
  const often = checkCount === 1 ? 'in one check' : `in ${checkCount} consecutive checks`;
  const since = lastedMs === 0 ? '' : `, for ${formatDuration(lastedMs)}`;
  return `${signal}: bad ${often}${since}: ${detail}`;
}

function describeGood({ finished, faults, signals }: BakeCheck): string {
  const good = signals.flatMap(({ signal, requirement }) =>
    requirement === 'required' ? [signal] : [],
  );
  const jobs = `${finished} customer ${finished === 1 ? 'job' : 'jobs'} finished on the new shard; ${faults.reason}`;
  return good.length === 0 ? jobs : `${jobs}; good: ${good.join(', ')}`;
}
