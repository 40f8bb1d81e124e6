import { element, type Markup } from './elements.ts';
import {
  barHeight,
  jobHeight,
  type Layout,
  layOut,
  type PlacedJob,
  type PlacedWait,
  type ShardRow,
  type Sheet,
  waitHeight,
} from './layout.ts';
import type { DrawnSpan, Picture } from './picture.ts';
import { stateLabels } from './shard-states.ts';
import {
  cutInMiddle,
  cutToFit,
  fits,
  formatTime,
  type Label,
  type PlacedLabel,
  shardLetterWidth,
} from './text-labels.ts';

/** Draws both shards over time, with their jobs and the switches. */
export function drawTimeline(
  picture: Picture,
  { name = 'timeline', sheet }: { readonly name?: string; readonly sheet?: Sheet } = {},
): Markup {
  const layout = layOut(picture, sheet);
  const { width, height } = layout;
  return element(
    'svg',
    {
      viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
      width: Math.round(width),
      // The chart never shrinks below a readable text size.
      style: `min-width: ${Math.round(width)}px`,
      role: 'img',
      'aria-labelledby': `${name}-title ${name}-text`,
      xmlns: 'http://www.w3.org/2000/svg',
    },
    [
      element('title', { id: `${name}-title` }, ['Timeline of both shards']),
      element('desc', { id: `${name}-text` }, [describe(picture)]),
      ...picture.scenes.map((scene, at) => drawBand(scene, at, layout)),
      ...layout.scenes.map(({ textX, y, text }) =>
        element('text', { class: 'scene-title', x: textX, y }, [text]),
      ),
      ...drawAxis(picture, layout),
      ...layout.rows.flatMap((row) => drawRow(row, picture, layout)),
      ...drawWaits(layout),
      // Lines come first, to keep them below all texts.
      ...layout.switches.map((label) => drawLine('switch', label, layout)),
      ...layout.moments.map((label) => drawLine('moment', label, layout)),
      ...layout.switches.map((label) => drawText('switch', label)),
      ...layout.moments.filter(({ text }) => text !== '').map((label) => drawText('moment', label)),
    ],
  );
}

function describe({ spans, from, origin = from, switches }: Picture): string {
  const time = (at: number) => formatTime(at - origin);
  const spanTexts = spans.map(
    (span) =>
      `${span.shard} ${stateLabels[span.state]} from ${time(span.from)} to ${time(span.to)}`,
  );
  return [...spanTexts, ...switches.map(({ at, to }) => `${to} made active at ${time(at)}`)].join(
    '; ',
  );
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

/**
 * Draws the line of an instant, from its text down to the axis. If another label contains the text,
 * the line is a short stroke.
 */
function drawLine(
  kind: string,
  { x, textX, y, text }: PlacedLabel<Label>,
  { axisY }: Layout,
): Markup {
  // The line begins below the text if the text was moved left.
  const top = textX < x ? y + 3 : y - 9;
  const bottom = text === '' ? top + 9 : axisY;
  return element('line', { class: kind, x1: x - 4, x2: x - 4, y1: top, y2: bottom });
}

function drawText(kind: string, { textX, y, text }: PlacedLabel<Label>): Markup {
  return element('text', { class: `${kind}-text`, x: textX, y }, [text]);
}

function drawAxis({ from, origin = from }: Picture, layout: Layout): Markup[] {
  return [
    element('line', {
      class: 'axis',
      x1: layout.left,
      x2: layout.right,
      y1: layout.axisY,
      y2: layout.axisY,
    }),
    ...layout.ticks.flatMap((tick) => {
      const x = layout.x(origin + tick);
      return [
        element('line', { class: 'axis', x1: x, x2: x, y1: layout.axisY, y2: layout.axisY + 5 }),
        element('text', { class: 'tick', x, y: layout.axisY + 19 }, [formatTime(tick)]),
      ];
    }),
  ];
}

function drawRow({ shard, y, jobs }: ShardRow, picture: Picture, layout: Layout): Markup[] {
  const own = picture.spans.filter((span) => span.shard === shard);
  const name = cutInMiddle(shard, Math.floor((layout.left - 10) / shardLetterWidth));
  return [
    element('text', { class: 'shard', x: layout.left - 10, y: y + 17 }, [
      ...(name === shard ? [] : [element('title', {}, [shard])]),
      name,
    ]),
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
  const words = stateLabels[span.state];
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
    // A span at the end of the picture continues after it, so no end is drawn.
    ...(span.to < layout.to ? drawEnd(end, { y, next, layout }) : []),
  ];
}

/** Marks the shard as destroyed, if the next span of its row leaves enough space. */
function drawEnd(
  end: number,
  { y, next, layout }: { y: number; next: DrawnSpan | undefined; layout: Layout },
): Markup[] {
  const space = (next === undefined ? layout.width : layout.x(next.from)) - end;
  if (space < 16) return [];
  const cross = `M${round(end + 4)},${y + 8}l10,10m0,-10l-10,10`;
  const word = element('text', { class: 'gone', x: end + 18, y: y + 17 }, ['destroyed']);
  return [element('path', { class: 'cross', d: cross }), ...(space < 80 ? [] : [word])];
}

function drawJob({ job, x, y, width }: PlacedJob, { from, origin = from }: Picture): Markup {
  const started = formatTime((job.startedAt ?? from) - origin);
  return element('g', {}, [
    element('title', {}, [`${job.text}, started at ${started}`]),
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
