import { type ScaleTime, scaleLinear, scaleTime } from 'd3-scale';
import type { Wait } from '../run-report.ts';
import type { DrawnJob, Picture } from './picture.ts';
import {
  collectLabels,
  formatTime,
  type Label,
  type PlacedLabel,
  placeLabels,
} from './text-labels.ts';

export interface PlacedJob {
  readonly job: DrawnJob;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface ShardRow {
  readonly shard: string;
  readonly y: number;
  readonly jobs: readonly PlacedJob[];
}

export interface PlacedWait {
  readonly wait: Wait;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Layout {
  readonly x: ScaleTime<number, number>;
  readonly left: number;
  readonly right: number;
  /** The end of what is drawn. */
  readonly to: number;
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly PlacedLabel<Label>[];
  readonly moments: readonly PlacedLabel<Label>[];
  readonly switches: readonly PlacedLabel<Label>[];
  readonly axisY: number;
  readonly rows: readonly ShardRow[];
  /** Below the shards; none where nothing was waited for. */
  readonly waits: readonly PlacedWait[];
  /** Milliseconds since the origin. */
  readonly ticks: readonly number[];
}

export const barHeight = 26;
export const jobHeight = 5;
export const waitHeight = 18;

/** What a chart is drawn on: how wide its time may be, and the margins beside it. */
export interface Sheet {
  readonly left: number;
  /** Room for a word about what ends at the right end. */
  readonly marginRight: number;
  readonly narrowest: number;
  readonly widest: number;
  readonly pixelsPerTick: number;
  /** How many labels of what befell somebody may stand one below the other. */
  readonly highestTower: number;
}

const margins = { left: 84, marginRight: 84, pixelsPerTick: 110, highestTower: 6 };
/** On a screen, where it can be scrolled. */
export const scroll: Sheet = { ...margins, narrowest: 900, widest: 3000 };
/** As wide as paper: a piece of what is wider. */
export const paper: Sheet = { ...margins, narrowest: 900, widest: 900 };
/** A telephone held upright, 320 px of which are the page's margins: all of the time at one glance. */
export const telephone: Sheet = {
  left: 62,
  marginRight: 16,
  narrowest: 194,
  widest: 194,
  pixelsPerTick: 60,
  highestTower: 3,
};

const pixelsPerSecond = 14;
/** Only jobs want room: what has none fits a page, however long it lasts. */
const pixelsPerJob = 20;
const laneHeight = jobHeight + 2;
const rowGap = 30;

/** Where everything of the chart stands. */
export function layOut(picture: Picture, sheet: Sheet = scroll): Layout {
  const { from, to, shards, jobs, origin = from } = picture;
  const { left, marginRight, narrowest, widest, pixelsPerTick, highestTower } = sheet;
  const seconds = (to - from) / 1000;
  const wanted = Math.min(seconds * pixelsPerSecond, jobs.length * pixelsPerJob);
  const right = left + Math.max(narrowest, Math.min(widest, wanted));
  const x = scaleTime().domain([from, to]).range([left, right]);
  const { bottom, ...labels } = placeTexts(picture, {
    x,
    // Letters are as wide as they are in some browser, about.
    right: right + marginRight - 4,
    highestTower,
  });
  let y = bottom + 14;
  const rows = shards.map((shard): ShardRow => {
    const placed = placeJobs(
      jobs.filter((job) => job.shard === shard),
      { x, top: y + barHeight + 5, end: to },
    );
    const row = { shard, y, jobs: placed };
    const bottom = Math.max(y + barHeight, ...placed.map((job) => job.y + jobHeight));
    y = bottom + rowGap;
    return row;
  });
  const waits = placeWaits(picture, { x, top: y });
  if (waits.length > 0) y = Math.max(...waits.map((wait) => wait.y)) + waitHeight + rowGap;
  const ticks = scaleLinear()
    .domain([(from - origin) / 1000, (to - origin) / 1000])
    .ticks(Math.max(2, Math.round((right - left) / pixelsPerTick)))
    .map((tick) => tick * 1000);
  return {
    x,
    left,
    right,
    to,
    width: right + marginRight,
    height: y + 18,
    ...labels,
    axisY: y - rowGap / 2,
    rows,
    waits,
    ticks,
  };
}

/** What is written above the shards: scenes, then what befell programs, then switches. */
function placeTexts(
  { from, origin = from, scenes, moments, switches }: Picture,
  { x, right, highestTower }: { x: Layout['x']; right: number; highestTower: number },
) {
  const titles = placeLabels(
    scenes.map((scene, at) => ({
      x: x(scene.from) + 4,
      text: `${scene.number ?? at + 1}. ${scene.title}`,
    })),
    { top: 0, right },
  );
  const events = placeLabels(
    collectLabels(
      moments.map(({ at, text }) => ({ x: x(at) + 4, text: `✖ ${text}` })),
      { right, most: highestTower },
    ),
    { top: titles.bottom + 6, right },
  );
  const actives = placeLabels(
    switches.map(({ at, to }) => ({
      x: x(at) + 4,
      text: `${to} made active at ${formatTime(at - origin)}`,
    })),
    { top: events.bottom + 2, right },
  );
  return {
    scenes: titles.labels,
    moments: events.labels,
    switches: actives.labels,
    bottom: actives.bottom,
  };
}

function placeWaits(
  { waits = [], from }: Picture,
  { x, top }: { x: Layout['x']; top: number },
): readonly PlacedWait[] {
  const stretches = waits.map((wait) => ({
    wait,
    from: Math.max(wait.from, from),
    to: wait.to,
  }));
  return assignLanes(stretches, 0).map(({ stretch, lane }) => ({
    wait: stretch.wait,
    x: x(stretch.from),
    y: top + lane * (waitHeight + 2),
    width: Math.max(1.5, x(stretch.to) - x(stretch.from) - 1),
  }));
}

function placeJobs(
  jobs: readonly DrawnJob[],
  { x, top, end }: { x: Layout['x']; top: number; end: number },
): readonly PlacedJob[] {
  const stretches = jobs.flatMap((job) =>
    job.startedAt === undefined ? [] : [{ job, from: job.startedAt, to: job.endedAt ?? end }],
  );
  return assignLanes(stretches, 150).map(({ stretch, lane }) => ({
    job: stretch.job,
    x: x(stretch.from),
    y: top + lane * laneHeight,
    width: Math.max(1.5, x(stretch.to) - x(stretch.from)),
  }));
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Each stretch gets the first lane that is free when it begins, so that none covers another. */
export function assignLanes<T extends Stretch>(
  stretches: readonly T[],
  apart: number,
): readonly { readonly stretch: T; readonly lane: number }[] {
  const busyUntil: number[] = [];
  return stretches
    .toSorted((one, other) => one.from - other.from)
    .map((stretch) => {
      const free = busyUntil.findIndex((until) => until + apart <= stretch.from);
      const lane = free < 0 ? busyUntil.length : free;
      busyUntil[lane] = stretch.to;
      return { stretch, lane };
    });
}
