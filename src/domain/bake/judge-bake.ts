import type { FaultVerdict } from '../health/runner-faults.ts';
import type { BakeSettings } from '../settings.ts';
import { formatDuration } from '../text/duration.ts';
import { badChecks, latencyOf } from './latency.ts';

/** One look's answers. */
export interface BakeCheck {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly signals: readonly SignalReading[];
  /** Of the customers' jobs of the promoted shard; it is judged as if asked after each of them. */
  readonly faults: FaultVerdict;
  /** Customers' jobs that have ended on the promoted shard since it was promoted. */
  readonly finished: number;
}

/** What one signal said. `unknown`: no answer, or one that means neither; never good and never bad. */
export interface SignalReading {
  /** As the configuration spells it: `health`, `starvation`, `prometheus[0]`, `canary`. */
  readonly signal: string;
  /** `report` is told and decides nothing. */
  readonly requirement: 'required' | 'report';
  readonly value: 'good' | 'bad' | 'unknown';
  readonly detail: string;
  /** Besides three looks, so many milliseconds of nothing but bad are wanted. */
  readonly heldMs?: number;
}

export type BakeVerdict =
  | {
      readonly kind: 'watching';
      readonly reason: string;
      readonly reported: readonly Reported[];
      readonly nextCheckMs: number;
      /** The next look runs a canary: finished jobs hide a shard that starts none any more. */
      readonly needs?: 'canary';
    }
  | {
      readonly kind: 'healthy' | 'unhealthy' | 'inconclusive';
      readonly reason: string;
      /** What signals of requirement `report` found. */
      readonly reported: readonly Reported[];
      /** Which one is bad; absent where customers' jobs are. */
      readonly signal?: string;
    };

export interface Reported {
  readonly signal: string;
  readonly text: string;
}

export interface BakeFacts {
  /** The oldest first; of this process alone, for nothing is kept between two. */
  readonly looks: readonly BakeCheck[];
  readonly sincePromotedMs: number;
  /** So many of the looks were made since the absolute end in the record; 0: it is not reached. */
  readonly checksPastEnd: number;
  readonly settings: BakeSettings;
}

/**
 * Judges what was seen of the promoted shard. An answer that is missing neither adds to a row of bad
 * ones nor breaks it, because it says nothing (decision 12).
 */
export function judgeBake(facts: BakeFacts): BakeVerdict {
  const { looks, checksPastEnd, sincePromotedMs, settings } = facts;
  const isOver = checksPastEnd > 0;
  const reported = ofRequirement(looks, 'report').flatMap(({ reading: { signal }, row }) =>
    row.isSettled ? [{ signal, text: describeRow(row) }] : [],
  );
  const last = looks.at(-1);
  if (last === undefined) {
    const reason = 'nothing has been looked at yet';
    return { kind: 'watching', reason, reported, nextCheckMs: 0 };
  }
  if (last.faults.kind === 'unhealthy')
    return { kind: 'unhealthy', reason: last.faults.reason, reported };
  const required = ofRequirement(looks, 'required');
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
  // A row that has begun is followed to its end, also beyond the end of the watching, for a while.
  const begun = required.find(({ row }) => row.looks > 0);
  const isFollowed = followedPastEnd(facts) < mostFollowed(settings);
  const isWatchedLongEnough = sincePromotedMs >= (settings.forMs ?? 0);
  if (needsCanary(facts, isWatchedLongEnough || isOver))
    return watch('a canary is to prove it once more', { needs: 'canary' });
  if (begun !== undefined && isFollowed) return watch(describeRow(begun.row));
  const missing = findMissing(last, required, settings);
  if (isWatchedLongEnough && missing.length === 0)
    return { kind: 'healthy', reason: describeGood(last), reported };
  const remains = `${formatDuration((settings.forMs ?? 0) - sincePromotedMs)} of ${formatDuration(settings.forMs ?? 0)} remain`;
  if (!isOver) return watch(isWatchedLongEnough ? missing.join('; ') : remains);
  // `for` was made longer since: the end in the record does not move with it.
  const short = isWatchedLongEnough ? [] : [`${remains}, and its end has come`];
  return { kind: 'inconclusive', reason: [...short, ...missing].join('; '), reported };
}

/** Looks: twice as many as make a verdict, so that some may be silent, and signals in turn come to an end. */
function mostFollowed(settings: BakeSettings): number {
  return 2 * Math.ceil(latencyOf(settings).signalsMs / settings.pollMs);
}

/** How many of the last looks since the end had a row of bad answers that none but a good one ends. */
function followedPastEnd({ looks, checksPastEnd }: BakeFacts): number {
  const bad = new Set<string>();
  let followed = 0;
  for (const [index, { signals }] of looks.entries()) {
    for (const { signal, requirement, value } of signals) {
      if (requirement === 'required' && value === 'bad') bad.add(signal);
      if (value === 'good') bad.delete(signal);
    }
    const isPastEnd = index >= looks.length - checksPastEnd;
    followed = isPastEnd && bad.size > 0 ? followed + 1 : 0;
  }
  return followed;
}

/** Why what was seen is not enough for a verdict of healthy. */
function findMissing(
  last: BakeCheck,
  required: readonly Latest[],
  { jobs }: BakeSettings,
): readonly string[] {
  return [
    ...(last.finished < jobs
      ? [`${last.finished} of ${jobs} customers' jobs have ended there`]
      : []),
    // Who wants no job does not wait for what only jobs can tell; what they have told counts.
    ...(last.faults.kind === 'usual' || (jobs === 0 && last.finished === 0)
      ? []
      : [last.faults.reason]),
    ...required.flatMap(({ reading: { signal, value, detail }, row }) => {
      if (row.looks > 0) return [describeRow(row)];
      return value === 'good' ? [] : [`${signal}: ${detail}`];
    }),
    // Where nobody is asked and no job has ended, nothing is bad, and nothing was seen.
    ...(required.length > 0 || last.finished > 0
      ? []
      : ["no signal is required, and no customer's job has ended there"]),
  ];
}

/**
 * Asked from `for` on, once in each `for`, so that a shard which starts no job at all is found out
 * long before the end. A bad one is asked again until there are three; one without an answer is not pressed.
 */
function needsCanary({ looks, settings }: BakeFacts, isDue: boolean): boolean {
  const { canary } = settings.signals;
  if (canary === 'off' || !isDue) return false;
  const now = looks.at(-1)?.at ?? 0;
  const asked = looks.findLast(({ signals }) => signals.some(({ signal }) => signal === 'canary'));
  const last = ofRequirement(looks, canary).find(({ reading }) => reading.signal === 'canary');
  if (last === undefined || (last.reading.value === 'bad' && !last.row.isSettled)) return true;
  return now - (asked?.at ?? 0) > Math.max(settings.forMs ?? 0, settings.pollMs);
}

/** The last that was said of a signal, and the row of bad answers that it ends. */
interface Latest {
  readonly reading: SignalReading;
  readonly row: Row;
}

interface Row {
  readonly reading: SignalReading;
  readonly looks: number;
  readonly lastedMs: number;
  readonly isSettled: boolean;
}

function ofRequirement(
  looks: readonly BakeCheck[],
  requirement: SignalReading['requirement'],
): Latest[] {
  const names = new Set(
    looks.flatMap(({ signals }) =>
      signals.flatMap((one) => (one.requirement === requirement ? [one.signal] : [])),
    ),
  );
  return [...names].flatMap((name) => {
    const answered = looks.flatMap(({ at, signals }) =>
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
    looks: bad.length,
    lastedMs,
    isSettled: bad.length >= badChecks && lastedMs >= (latest.heldMs ?? 0),
  };
}

function untilNextCheck({ sincePromotedMs, settings: { forMs = 0, pollMs } }: BakeFacts): number {
  const remainingMs = forMs - sincePromotedMs;
  return remainingMs > 0 ? Math.min(remainingMs, pollMs) : pollMs;
}

function describeRow({ reading: { signal, detail }, looks, lastedMs }: Row): string {
  const often = looks === 1 ? 'in one look' : `in ${looks} looks running`;
  const since = lastedMs === 0 ? '' : `, for ${formatDuration(lastedMs)}`;
  return `${signal}: bad ${often}${since}: ${detail}`;
}

function describeGood({ finished, faults, signals }: BakeCheck): string {
  const good = signals.flatMap(({ signal, requirement }) =>
    requirement === 'required' ? [signal] : [],
  );
  const jobs = `${finished} customers' ${finished === 1 ? 'job' : 'jobs'} ended there; ${faults.reason}`;
  return good.length === 0 ? jobs : `${jobs}; good: ${good.join(', ')}`;
}
