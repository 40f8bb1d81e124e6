import type { RunReport } from './run-report.ts';

/** One bar of a timeline; times are milliseconds since 1970. */
export interface TimelineRow {
  readonly name: string;
  readonly kind: 'before' | 'done' | 'failed' | 'unfinished';
  readonly startedAt: number;
  readonly endedAt: number;
}

const shortestMs = 60_000;

/** The deployment before this run, as far as the record tells, and then each step of this run. */
export function timelineRows(report: RunReport): readonly TimelineRow[] {
  const { steps, outcome, deployment, startedAt } = report;
  const last = outcome === 'done' || outcome === 'nothing' ? 'done' : 'failed';
  const ending = outcome === 'unfinished' || outcome === 'cancelled' ? 'unfinished' : last;
  const rows = steps.map(
    (step, index): TimelineRow => ({
      ...step,
      kind: index === steps.length - 1 ? ending : 'done',
    }),
  );
  const begunAt = Date.parse(deployment?.startedAt ?? '');
  if (deployment === undefined || !(begunAt < startedAt)) return rows;
  const since = new Date(begunAt).toISOString().slice(0, 16).replace('T', ' ');
  // Days before must not leave a run of minutes as a hair's breadth; the name says since when.
  const ownMs = Math.max(shortestMs, report.endedAt - startedAt);
  const shownFrom = Math.max(begunAt, startedAt - ownMs);
  return [
    { name: `earlier, since ${since}`, kind: 'before', startedAt: shownFrom, endedAt: startedAt },
    ...rows,
  ];
}
