import type { Look, RecordSight, ShardState } from '../look.ts';

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
export function shardsOf(looks: readonly Look[]): readonly string[] {
  return [...new Set(looks.flatMap(({ shards }) => Object.keys(shards)))];
}

/** Combines observations into periods. An observation lasts until the next one. */
export function spansOf(looks: readonly Look[], shard: string): readonly Span[] {
  const spans: Span[] = [];
  for (const [from, to, { shards }] of intervalsOf(looks)) {
    const state = shards[shard] ?? 'gone';
    if (state === 'gone') continue;
    const last = spans.at(-1);
    if (last?.state === state && last.to === from) spans[spans.length - 1] = { ...last, to };
    else spans.push({ shard, state, from, to });
  }
  return spans;
}

export function switchesOf(looks: readonly Look[]): readonly Switch[] {
  const switches: Switch[] = [];
  for (const { at, active } of looks) {
    const from = switches.at(-1)?.to;
    if (active !== undefined && active !== from) switches.push({ at, from, to: active });
  }
  return switches;
}

/**
 * Returns the deployment that began within that time. A later one, such as its rollback, is
 * excluded.
 */
export function begunIn(looks: readonly Look[], within: Interval): RecordSight | undefined {
  const before = looks.findLast(({ at }) => at <= within.from)?.record?.id;
  return looks.find(({ at, record }) => {
    const isWithin = at > within.from && at <= within.to;
    return isWithin && record !== undefined && record.id !== before;
  })?.record;
}

/** Returns the time for which two shards accepted customer jobs at once. */
export function overlapMs(looks: readonly Look[], within: Interval): number {
  return totalMs(looks, within, ({ taking }) => taking.length > 1);
}

/**
 * Returns the time for which no shard accepted customer jobs, from the first moment at which one
 * did. Excludes the times after the demo ended the only machine.
 */
export function gapMs(looks: readonly Look[], outages: readonly Interval[] = []): number {
  const first = looks.find(({ taking }) => taking.length > 0);
  const last = looks.at(-1);
  if (first === undefined || last === undefined) return 0;
  const nobodyTakes = ({ taking }: Look) => taking.length === 0;
  const wholeMs = totalMs(looks, { from: first.at, to: last.at }, nobodyTakes);
  return outages.reduce((ms, outage) => ms - totalMs(looks, outage, nobodyTakes), wholeMs);
}

function totalMs(
  looks: readonly Look[],
  within: Interval,
  counts: (look: Look) => boolean,
): number {
  let total = 0;
  for (const [from, to, look] of intervalsOf(looks)) {
    if (!counts(look)) continue;
    total += Math.max(0, Math.min(to, within.to) - Math.max(from, within.from));
  }
  return total;
}

function intervalsOf(looks: readonly Look[]): [from: number, to: number, look: Look][] {
  return looks.slice(0, -1).map((look, at) => [look.at, looks[at + 1]?.at ?? look.at, look]);
}
