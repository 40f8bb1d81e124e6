import type { RunReport } from './run-report.ts';

/** One bar of a timeline; times are milliseconds since 1970. */
export interface TimelineRow {
  readonly name: string;
  readonly kind: 'before' | 'done' | 'failed' | 'unfinished';
  readonly startedAt: number;
  readonly endedAt: number;
}

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
  const before = {
    name: `earlier jobs of ${deployment.id}`,
    kind: 'before',
    startedAt: begunAt,
    endedAt: startedAt,
  } as const;
  return [before, ...rows];
}
