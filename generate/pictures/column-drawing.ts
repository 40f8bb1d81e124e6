import { element, type Markup } from '../../src/report/drawing/elements.ts';
import type { DrawnSpan, Picture } from '../../src/report/drawing/picture.ts';
import { shardStates, stateRules } from '../../src/report/drawing/shard-states.ts';
import { formatTime } from '../../src/report/drawing/text-labels.ts';

export interface Callout {
  readonly at: number;
  readonly text: string;
}

/** Widths in units of the picture. On a phone of 320 px, a text of 18 units has over 11 px. */
const width = 460;
const columns = [
  { x: 54, width: 176 },
  { x: 268, width: 184 },
] as const;
const jobLane = { x: 236, width: 24 };
const head = 36;
const calloutHeight = 36;
const shortest = 30;
const unitsPerSecond = 9;

/** Vertical part of the picture: a period without a change, or a callout. */
interface Row {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly height: number;
  readonly callout?: string;
}

/**
 * Draws both shards as columns, with time from top to bottom. Every state has its label, and the
 * picture is narrow: its text stays readable on a phone.
 */
export function drawColumns(picture: Picture, callouts: readonly Callout[]): Markup {
  const rows = placeRows(picture, callouts);
  const bottom = Math.max(...rows.map(({ y, height }) => y + height));
  const height = bottom + shortest + 40;
  return element(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': `Timeline: ${callouts.map(({ text }) => text).join(', ')}`,
      xmlns: 'http://www.w3.org/2000/svg',
    },
    [
      { markup: `<style>${style}</style>` },
      element('rect', { class: 'paper', width, height, rx: 8 }),
      ...picture.shards.flatMap((shard, at) => drawShard({ shard, at, picture, rows })),
      ...picture.jobs.flatMap((job) => drawJob(job, rows)),
      ...rows
        // A callout contains its time.
        .filter(({ from, callout }, at) => callout === undefined && rows[at - 1]?.from !== from)
        .map(({ from, y }) => drawText('time', 46, y + 7, formatTime(from - picture.from))),
      drawText('time', 46, bottom + 7, formatTime(picture.to - picture.from)),
      ...rows.flatMap((row) => drawCallout(row, picture.from)),
      drawText('note', width / 2, height - 14, 'A recorded run. Heights are not to scale.'),
    ],
  );
}

function placeRows({ from, to, spans }: Picture, callouts: readonly Callout[]): readonly Row[] {
  const times = [from, to, ...spans.map((span) => span.from), ...callouts.map(({ at }) => at)];
  const edges = [...new Set(times)].sort((one, other) => one - other);
  const rows: Row[] = [];
  let y = head;
  for (const [index, at] of edges.entries()) {
    const text = callouts.find((one) => one.at === at)?.text;
    if (text !== undefined) {
      rows.push({ from: at, to: at, y, height: calloutHeight, callout: text });
      y += calloutHeight;
    }
    const until = edges[index + 1];
    if (until === undefined) continue;
    const height = Math.max(shortest, Math.round(((until - at) / 1000) * unitsPerSecond));
    rows.push({ from: at, to: until, y, height });
    y += height;
  }
  return rows;
}

/** Returns the position of a time. A callout comes before its time. */
function heightOf(time: number, rows: readonly Row[]): number {
  const row = rows.findLast(({ from, callout }) => callout === undefined && from <= time);
  if (row === undefined) return head;
  const share = Math.min(1, (time - row.from) / (row.to - row.from));
  return row.y + share * row.height;
}

interface Drawn {
  readonly shard: string;
  readonly at: number;
  readonly picture: Picture;
  readonly rows: readonly Row[];
}

function drawShard({ shard, at, picture, rows }: Drawn): readonly Markup[] {
  const column = columns[at];
  if (column === undefined) return [];
  const center = column.x + column.width / 2;
  const spans = picture.spans.filter((span) => span.shard === shard && span.to > span.from);
  const end = spans.at(-1)?.to ?? picture.to;
  const isRemoved = spans.at(-1)?.state === 'destroying';
  const last = heightOf(end, rows);
  return [
    drawText('shard', center, 24, shard),
    ...spans.flatMap((span) => drawSpan(span, column, rows)),
    ...(isRemoved
      ? [drawText('gone', center, last + 22, 'destroyed')]
      : [
          element('rect', {
            class: spans.at(-1)?.state ?? '',
            x: column.x,
            y: last - 1,
            width: column.width,
            height: shortest,
          }),
        ]),
  ];
}

function drawSpan(
  { state, from, to }: DrawnSpan,
  { x, width: wide }: { readonly x: number; readonly width: number },
  rows: readonly Row[],
): readonly Markup[] {
  const own = rows.filter((row) => row.from >= from && row.to <= to && row.to > row.from);
  const top = heightOf(from, rows);
  const bottom = Math.max(...own.map((row) => row.y + row.height));
  const chunk = largestChunk(own);
  return [
    element('rect', { class: state, x, y: top, width: wide, height: bottom - top }),
    drawText(
      `label on-${state}`,
      x + wide / 2,
      chunk.y + chunk.height / 2 + 6,
      shardStates[state].label,
    ),
  ];
}

/** Returns the largest part of a span that no callout covers. */
function largestChunk(rows: readonly Row[]): { readonly y: number; readonly height: number } {
  const chunks: { y: number; height: number }[] = [];
  for (const { y, height } of rows) {
    const last = chunks.at(-1);
    if (last !== undefined && last.y + last.height === y) last.height += height;
    else chunks.push({ y, height });
  }
  return chunks.reduce((best, one) => (one.height > best.height ? one : best));
}

function drawJob({ startedAt, endedAt }: Picture['jobs'][number], rows: readonly Row[]): Markup[] {
  if (startedAt === undefined || endedAt === undefined) return [];
  const callout = rows.find((row) => row.callout !== undefined && row.from === endedAt);
  const [top, bottom] = [heightOf(startedAt, rows), callout?.y ?? heightOf(endedAt, rows)];
  const x = jobLane.x + jobLane.width / 2;
  const y = bottom - 30;
  return [
    element('rect', {
      class: 'job',
      x: jobLane.x,
      y: top,
      width: jobLane.width,
      height: bottom - top,
      rx: 4,
    }),
    element(
      'text',
      { class: 'job-text', x, y, transform: `rotate(-90 ${x} ${y}) translate(0 6)` },
      ['job'],
    ),
  ];
}

function drawCallout({ from, y, callout }: Row, origin: number): readonly Markup[] {
  if (callout === undefined) return [];
  return [
    element('rect', {
      class: 'callout',
      x: 2,
      y: y + 3,
      width: width - 4,
      height: calloutHeight - 6,
      rx: 6,
    }),
    drawText('time', 46, y + 24, formatTime(from - origin)),
    drawText('callout-text', 56, y + 24, callout),
  ];
}

function drawText(kind: string, x: number, y: number, text: string): Markup {
  return element('text', { class: kind, x, y }, [text]);
}

const style = `
:root { --paper: #ffffff; --ink: #1b1b1f; --soft: #55555f; --job: #4b5a6b; --job-ink: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171b; --ink: #ececf1; --soft: #adadb8; --job: #9aaabd; --job-ink: #111111; } }
text { fill: var(--ink); font: 18px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; text-anchor: middle; }
.paper { fill: var(--paper); } .shard { font-weight: 600; } .time { text-anchor: end; } .time, .gone, .note { fill: var(--soft); }
.job { fill: var(--job); } .job-text { fill: var(--job-ink); }
.callout { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; } .callout-text { text-anchor: start; }
${stateRules.replaceAll('svg .on-', '.on-')}
`;
