import { element, type Markup } from './elements.ts';
import { cutToFit, fits, formatTime, type Label, type PlacedLabel } from './labels.ts';
import {
  barHeight,
  jobHeight,
  type Layout,
  layOut,
  type PlacedJob,
  type PlacedWait,
  type ShardRow,
  waitHeight,
} from './layout.ts';
import type { DrawnSpan, Picture } from './picture.ts';
import { stateWords } from './state-words.ts';

/** Both shards over time, the jobs that ran on each, and the moments of switch. */
export function drawTimeline(picture: Picture): Markup {
  const layout = layOut(picture);
  const { width, height } = layout;
  return element(
    'svg',
    {
      viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
      width: Math.round(width),
      // Never smaller than its letters can be read.
      style: `min-width: ${Math.round(width)}px`,
      role: 'img',
      'aria-labelledby': 'timeline-title timeline-text',
      xmlns: 'http://www.w3.org/2000/svg',
    },
    [
      element('title', { id: 'timeline-title' }, ['Timeline of both shards']),
      element('desc', { id: 'timeline-text' }, [describe(picture)]),
      ...picture.scenes.map((scene, at) => drawBand(scene, at, layout)),
      ...layout.scenes.map(({ textX, y, text }) =>
        element('text', { class: 'scene-title', x: textX, y }, [text]),
      ),
      ...drawAxis(layout),
      ...layout.rows.flatMap((row) => drawRow(row, picture, layout)),
      ...drawWaits(layout),
      ...layout.switches.flatMap((label) => drawInstant('switch', label, layout)),
      ...layout.moments.flatMap((label) => drawInstant('moment', label, layout)),
    ],
  );
}

function describe({ spans, from, switches }: Picture): string {
  const time = (at: number) => formatTime(at - from);
  const said = spans.map(
    (span) => `${span.shard} ${stateWords[span.state]} from ${time(span.from)} to ${time(span.to)}`,
  );
  return [...said, ...switches.map(({ at, to }) => `${to} made active at ${time(at)}`)].join('; ');
}

function drawBand(
  { from, to }: Picture['scenes'][number],
  at: number,
  { x, axisY }: Layout,
): Markup {
  const [x0, x1] = [x(from), x(to)];
  return element('rect', {
    class: `scene scene-${at % 2}`,
    x: x0,
    y: 0,
    width: x1 - x0,
    height: axisY,
  });
}

/** A text with its line down to the axis. */
function drawInstant(
  kind: string,
  { x, textX, y, text }: PlacedLabel<Label>,
  { axisY }: Layout,
): Markup[] {
  // Not through its own text, where that had to give way to the left.
  const top = textX < x ? y + 3 : y - 9;
  return [
    element('line', { class: kind, x1: x - 4, x2: x - 4, y1: top, y2: axisY }),
    element('text', { class: `${kind}-text`, x: textX, y }, [text]),
  ];
}

function drawAxis(layout: Layout): Markup[] {
  const [start] = layout.x.domain();
  const from = start?.getTime() ?? 0;
  return [
    element('line', {
      class: 'axis',
      x1: layout.left,
      x2: layout.right,
      y1: layout.axisY,
      y2: layout.axisY,
    }),
    ...layout.ticks.flatMap((tick) => {
      const x = layout.x(from + tick);
      return [
        element('line', { class: 'axis', x1: x, x2: x, y1: layout.axisY, y2: layout.axisY + 5 }),
        element('text', { class: 'tick', x, y: layout.axisY + 19 }, [formatTime(tick)]),
      ];
    }),
  ];
}

function drawRow({ shard, y, jobs }: ShardRow, picture: Picture, layout: Layout): Markup[] {
  const own = picture.spans.filter((span) => span.shard === shard);
  return [
    element('text', { class: 'shard', x: layout.left - 10, y: y + 17 }, [shard]),
    ...(jobs.length === 0
      ? []
      : [
          element('text', { class: 'side', x: layout.left - 10, y: y + barHeight + 12 }, [
            'its jobs',
          ]),
        ]),
    ...own.flatMap((span, at) => drawSpan(span, { y, next: own[at + 1], layout })),
    ...jobs.map((placed) => drawJob(placed, picture)),
  ];
}

function drawSpan(
  span: DrawnSpan,
  { y, next, layout }: { y: number; next: DrawnSpan | undefined; layout: Layout },
): Markup[] {
  const [x, end] = [layout.x(span.from), layout.x(span.to)];
  const width = Math.max(1, end - x);
  const words = stateWords[span.state];
  const seconds = Math.round((span.to - span.from) / 100) / 10;
  return [
    element('g', {}, [
      element('title', {}, [`${span.shard} ${words}, ${seconds}s`]),
      element('rect', { class: `bar ${span.state}`, x, y, width, height: barHeight, rx: 2 }),
      ...(fits(words, width)
        ? [
            element('text', { class: `bar-text on-${span.state}`, x: x + width / 2, y: y + 17 }, [
              words,
            ]),
          ]
        : []),
    ]),
    ...drawEnd(end, { y, next, layout }),
  ];
}

/** A shard that is gone before anything else is drawn in its row was destroyed. */
function drawEnd(
  end: number,
  { y, next, layout }: { y: number; next: DrawnSpan | undefined; layout: Layout },
): Markup[] {
  const room = (next === undefined ? layout.width : layout.x(next.from)) - end;
  if (end >= layout.right || room < 16) return [];
  const cross = `M${round(end + 4)},${y + 8}l10,10m0,-10l-10,10`;
  const word = element('text', { class: 'gone', x: end + 18, y: y + 17 }, ['destroyed']);
  return [element('path', { class: 'cross', d: cross }), ...(room < 80 ? [] : [word])];
}

function drawJob({ job, x, y, width }: PlacedJob, { from }: Picture): Markup {
  const started = formatTime((job.startedAt ?? from) - from);
  return element('g', {}, [
    element('title', {}, [`${job.said}, started at ${started}`]),
    element('rect', { class: `job ${job.kind}`, x, y, width, height: jobHeight, rx: 1 }),
  ]);
}

function drawWaits({ waits, left }: Layout): Markup[] {
  const [first] = waits;
  if (first === undefined) return [];
  const side = element('text', { class: 'side', x: left - 10, y: first.y + 13 }, ['waits']);
  return [side, ...waits.map(drawWait)];
}

function drawWait({ wait, x, y, width }: PlacedWait): Markup {
  const seconds = Math.round((wait.to - wait.from) / 100) / 10;
  const text = cutToFit(wait.text, width);
  return element('g', {}, [
    element('title', {}, [`${wait.text}, ${seconds}s`]),
    element('rect', { class: 'wait', x, y, width, height: waitHeight, rx: 2 }),
    ...(text === undefined
      ? []
      : [element('text', { class: 'bar-text', x: x + width / 2, y: y + 13 }, [text])]),
  ]);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
