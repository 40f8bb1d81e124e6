import type { RunReport } from './run-report.ts';

/** Bar of a timeline. Times are milliseconds since 1970. */
export interface TimelineRow {
  readonly name: string;
  readonly kind: 'before' | 'done' | 'failed' | 'unfinished';
  readonly startedAt: number;
  readonly endedAt: number;
}

const shortestMs = 60_000;

/**
 * Lists the deployment before this run, as far as the record shows it, and then each step of this
 * run.
 */
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
  // The time before is shortened, because days would hide a run of minutes. The name of the row
  // states its real start.
  const ownMs = Math.max(shortestMs, report.endedAt - startedAt);
  const shownFrom = Math.max(begunAt, startedAt - ownMs);
  return [
    { name: `earlier, since ${since}`, kind: 'before', startedAt: shownFrom, endedAt: startedAt },
    ...rows,
  ];
}
