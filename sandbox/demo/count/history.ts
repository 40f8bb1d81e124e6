import type { Reading, RecordSight, ShardState } from '../stack-reading.ts';

/** Period for which a shard had one state. */
export interface Span {
  readonly shard: string;
  readonly state: Exclude<ShardState, 'gone'>;
  readonly from: number;
  readonly to: number;
}

/** Change of the active shard in the status. */
export interface Switch {
  readonly at: number;
  readonly from?: string | undefined;
  readonly to: string;
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Lists the shards in the order of their first appearance. */
export function shardsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.flatMap(({ shards }) => Object.keys(shards)))];
}

/** Combines observations into periods. An observation lasts until the next one. */
export function spansOf(readings: readonly Reading[], shard: string): readonly Span[] {
  const spans: Span[] = [];
  for (const [from, to, { shards }] of intervalsOf(readings)) {
    const state = shards[shard] ?? 'gone';
    if (state === 'gone') continue;
    const last = spans.at(-1);
    if (last?.state === state && last.to === from) spans[spans.length - 1] = { ...last, to };
    else spans.push({ shard, state, from, to });
  }
  return spans;
}

export function switchesOf(readings: readonly Reading[]): readonly Switch[] {
  const switches: Switch[] = [];
  for (const { at, active } of readings) {
    const from = switches.at(-1)?.to;
    if (active !== undefined && active !== from) switches.push({ at, from, to: active });
  }
  return switches;
}

/**
 * Returns the deployment that began within that time. A later one, such as its rollback, is
 * excluded.
 */
export function begunIn(readings: readonly Reading[], within: Interval): RecordSight | undefined {
  const before = readings.findLast(({ at }) => at <= within.from)?.record?.id;
  return readings.find(({ at, record }) => {
    const isWithin = at > within.from && at <= within.to;
    return isWithin && record !== undefined && record.id !== before;
  })?.record;
}

/** Returns the time for which two shards accepted customer jobs at once. */
export function overlapMs(readings: readonly Reading[], within: Interval): number {
  return totalMs(readings, within, ({ taking }) => taking.length > 1);
}

/**
 * Returns the time for which no shard accepted customer jobs, from the first moment at which one
 * did. Excludes the times after the demo ended the only machine.
 */
export function gapMs(readings: readonly Reading[], outages: readonly Interval[] = []): number {
  const first = readings.find(({ taking }) => taking.length > 0);
  const last = readings.at(-1);
  if (first === undefined || last === undefined) return 0;
  const isGap = ({ taking }: Reading) => taking.length === 0;
  const wholeMs = totalMs(readings, { from: first.at, to: last.at }, isGap);
  return outages.reduce((ms, outage) => ms - totalMs(readings, outage, isGap), wholeMs);
}

function totalMs(
  readings: readonly Reading[],
  within: Interval,
  counts: (reading: Reading) => boolean,
): number {
  let total = 0;
  for (const [from, to, reading] of intervalsOf(readings)) {
    if (!counts(reading)) continue;
    total += Math.max(0, Math.min(to, within.to) - Math.max(from, within.from));
  }
  return total;
}

function intervalsOf(readings: readonly Reading[]): [from: number, to: number, reading: Reading][] {
  return readings
    .slice(0, -1)
    .map((reading, at) => [reading.at, readings[at + 1]?.at ?? reading.at, reading]);
}
