import type { Span } from '../history.ts';
import type { Story } from '../story.ts';
import type { Scene } from '../theatre.ts';
import { fits, formatTime, wrapWords } from './labels.ts';
import {
  barHeight,
  jobHeight,
  type Layout,
  layOut,
  type PlacedJob,
  type ShardRow,
} from './layout.ts';
import { element, type Markup } from './markup.ts';
import { stateWords } from './words.ts';

/** Both shards over time, the jobs that ran on each, and the moments of switch. */
export function drawTimeline(story: Story): Markup {
  const layout = layOut(story);
  const { width, height } = layout;
  return element(
    'svg',
    {
      viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
      width: Math.round(width),
      role: 'img',
      'aria-labelledby': 'timeline-title timeline-text',
      xmlns: 'http://www.w3.org/2000/svg',
    },
    [
      element('title', { id: 'timeline-title' }, ['Timeline of both shards']),
      element('desc', { id: 'timeline-text' }, [describe(story)]),
      ...story.scenes.flatMap((scene, at) => drawScene(scene, { at, layout, story })),
      ...drawAxis(layout),
      ...layout.rows.flatMap((row) => drawRow(row, story, layout)),
      ...story.switches.flatMap(({ at, to }) => drawSwitch(layout, { at, to, story })),
      ...story.moments.flatMap(({ at, text }) => drawMoment(layout, { at, text })),
    ],
  );
}

function describe({ spans, from, switches }: Story): string {
  const time = (at: number) => formatTime(at - from);
  const said = spans.map(
    (span) => `${span.shard} ${stateWords[span.state]} from ${time(span.from)} to ${time(span.to)}`,
  );
  return [...said, ...switches.map(({ at, to }) => `${to} made active at ${time(at)}`)].join('; ');
}

function drawScene(
  { title, from, to }: Scene,
  { at, layout, story }: { at: number; layout: Layout; story: Story },
): Markup[] {
  const [x0, x1] = [layout.x(from), layout.x(to)];
  const [top, bottom] = [layout.scenesY, layout.axisY];
  const lines = wrapWords(`${at + 1}. ${title}`, x1 - x0 - 6);
  return [
    element('rect', {
      class: `scene scene-${at % 2}`,
      x: x0,
      y: 0,
      width: x1 - x0,
      height: bottom,
    }),
    ...lines.map((line, row) =>
      element('text', { class: 'scene-title', x: x0 + 4, y: top + row * 14 }, [line]),
    ),
    element('title', {}, [`${title}, from ${formatTime(from - story.from)}`]),
  ].slice(0, -1);
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

function drawRow({ shard, y, jobs }: ShardRow, story: Story, layout: Layout): Markup[] {
  const own = story.spans.filter((span) => span.shard === shard);
  return [
    element('text', { class: 'shard', x: layout.left - 10, y: y + 17 }, [shard]),
    element('text', { class: 'side', x: layout.left - 10, y: y + barHeight + 12 }, ['its jobs']),
    ...own.flatMap((span, at) => drawSpan(span, { y, next: own[at + 1], layout })),
    ...jobs.map((placed) => drawJob(placed, story)),
  ];
}

function drawSpan(
  span: Span,
  { y, next, layout }: { y: number; next: Span | undefined; layout: Layout },
): Markup[] {
  const [x, end] = [layout.x(span.from), layout.x(span.to)];
  const width = Math.max(1, end - x);
  const words = stateWords[span.state];
  const seconds = Math.round((span.to - span.from) / 100) / 10;
  const isLast = span.to === layout.x.domain()[1]?.getTime();
  const isEnd = next?.from !== span.to && !isLast;
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
    ...(isEnd
      ? [
          element('path', { class: 'cross', d: `M${round(end + 4)},${y + 8}l10,10m0,-10l-10,10` }),
          element('text', { class: 'gone', x: end + 18, y: y + 17 }, ['destroyed']),
        ]
      : []),
  ];
}

function drawJob({ job, x, y, width }: PlacedJob, story: Story): Markup {
  const said = `job ${job.number}, ${job.kind}, ${job.verdict}, waited ${Math.round(job.waitMs)} ms`;
  const started = formatTime((job.startedAt ?? story.from) - story.from);
  const kind = job.verdict === 'finished' ? job.kind : 'harmed';
  return element('g', {}, [
    element('title', {}, [`${said}, started at ${started}`]),
    element('rect', { class: `job ${kind}`, x, y, width, height: jobHeight, rx: 1 }),
  ]);
}

function drawSwitch(
  layout: Layout,
  { at, to, story }: { at: number; to: string; story: Story },
): Markup[] {
  const x = layout.x(at);
  return [
    element('line', { class: 'switch', x1: x, x2: x, y1: layout.switchesY - 9, y2: layout.axisY }),
    element('text', { class: 'switch-text', x: x + 4, y: layout.switchesY }, [
      `${to} made active at ${formatTime(at - story.from)}`,
    ]),
  ];
}

function drawMoment(layout: Layout, { at, text }: { at: number; text: string }): Markup[] {
  const x = layout.x(at);
  return [
    element('line', { class: 'moment', x1: x, x2: x, y1: layout.momentsY - 9, y2: layout.axisY }),
    element('text', { class: 'moment-text', x: x + 4, y: layout.momentsY }, [`✖ ${text}`]),
  ];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
