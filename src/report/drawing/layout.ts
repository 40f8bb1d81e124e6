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
  /** End of the drawn period. */
  readonly to: number;
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly PlacedLabel<Label>[];
  readonly moments: readonly PlacedLabel<Label>[];
  readonly switches: readonly PlacedLabel<Label>[];
  readonly axisY: number;
  readonly rows: readonly ShardRow[];
  /** Waits below the shards. Empty without waits. */
  readonly waits: readonly PlacedWait[];
  /** Milliseconds since the origin. */
  readonly ticks: readonly number[];
}

export const barHeight = 26;
export const jobHeight = 5;
export const waitHeight = 18;

/** Width limits and margins of a chart. */
export interface Sheet {
  readonly left: number;
  /** Space for a text after the right end. */
  readonly marginRight: number;
  readonly narrowest: number;
  readonly widest: number;
  readonly pixelsPerTick: number;
  /** Number of moment labels that may be stacked. */
  readonly highestTower: number;
}

const margins = { left: 84, marginRight: 84, pixelsPerTick: 110, highestTower: 6 };
/** Sheet whose width shows how many pieces a chart needs. */
export const scroll: Sheet = { ...margins, narrowest: 900, widest: 3000 };
/** Sheet for one piece of a wide chart, as wide as paper. */
export const paper: Sheet = { ...margins, narrowest: 900, widest: 900 };
/** Sheet for a small screen of 720 px minus the page's margins. It shows the whole period. */
export const tablet: Sheet = {
  left: 84,
  marginRight: 84,
  narrowest: 500,
  widest: 500,
  pixelsPerTick: 90,
  highestTower: 5,
};
/**
 * Sheet for an upright telephone of 320 px minus the page's margins. It shows the whole period.
 */
export const telephone: Sheet = {
  left: 62,
  marginRight: 16,
  narrowest: 194,
  widest: 194,
  pixelsPerTick: 60,
  highestTower: 3,
};

const pixelsPerSecond = 14;
/** Width per job. Only jobs widen a chart: without jobs, any period fits a page. */
const pixelsPerJob = 20;
const laneHeight = jobHeight + 2;
const rowGap = 30;

/** Computes the positions of all parts of a chart. */
export function layOut(picture: Picture, sheet: Sheet = scroll): Layout {
  const { from, to, shards, jobs, origin = from } = picture;
  const { left, marginRight, narrowest, widest, pixelsPerTick, highestTower } = sheet;
  const seconds = (to - from) / 1000;
  const wanted = Math.min(seconds * pixelsPerSecond, jobs.length * pixelsPerJob);
  const right = left + Math.max(narrowest, Math.min(widest, wanted));
  const x = scaleTime().domain([from, to]).range([left, right]);
  const { bottom, ...labels } = placeTexts(picture, {
    x,
    // The text width is an estimate, because it depends on the browser.
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

/** Places the texts above the shards: scenes, then moments, then switches. */
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

/** Assigns each stretch to the first lane that is free at its start. No stretch covers another. */
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
