import { type ScaleTime, scaleLinear, scaleTime } from 'd3-scale';
import type { JudgedJob } from '../count.ts';
import type { Story } from '../story.ts';
import { assignLanes } from './lanes.ts';

export interface PlacedJob {
  readonly job: JudgedJob;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface ShardRow {
  readonly shard: string;
  readonly y: number;
  readonly jobs: readonly PlacedJob[];
}

export interface Layout {
  readonly x: ScaleTime<number, number>;
  readonly left: number;
  readonly right: number;
  readonly width: number;
  readonly height: number;
  readonly scenesY: number;
  readonly momentsY: number;
  readonly switchesY: number;
  readonly rowsTop: number;
  readonly axisY: number;
  readonly rows: readonly ShardRow[];
  /** Milliseconds since the beginning. */
  readonly ticks: readonly number[];
}

export const barHeight = 26;
export const jobHeight = 5;

const left = 84;
const marginRight = 24;
const pixelsPerSecond = 14;
const laneHeight = jobHeight + 2;
const rowGap = 30;

/** Where everything of the chart stands. */
export function layOut({ from, to, shards, jobs }: Story): Layout {
  const seconds = (to - from) / 1000;
  const right = left + Math.max(900, seconds * pixelsPerSecond);
  const x = scaleTime().domain([from, to]).range([left, right]);
  const rowsTop = 108;
  let y = rowsTop;
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
  const ticks = scaleLinear()
    .domain([0, seconds])
    .ticks(Math.max(2, Math.round((right - left) / 110)))
    .map((tick) => tick * 1000);
  return {
    x,
    left,
    right,
    width: right + marginRight,
    height: y + 18,
    scenesY: 14,
    momentsY: 76,
    switchesY: 94,
    rowsTop,
    axisY: y - rowGap / 2,
    rows,
    ticks,
  };
}

function placeJobs(
  jobs: readonly JudgedJob[],
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
