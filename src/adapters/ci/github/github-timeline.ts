import type { RunReport } from '../../../report/run-report.ts';
import { type TimelineRow, timelineRows } from '../../../report/timeline-rows.ts';

const tags: Readonly<Record<TimelineRow['kind'], string>> = {
  before: '',
  done: 'done, ',
  failed: 'crit, ',
  unfinished: 'active, ',
};

/** The timeline as a Mermaid chart; GitHub renders it in a job's summary. */
export function renderGantt(report: RunReport): string {
  const rows = timelineRows(report);
  const lines = [
    'gantt',
    '  dateFormat x',
    '  axisFormat %H:%M:%S',
    `  section ${plain(report.stage)}`,
    ...rows.map(bar),
    ...(report.phases.length === 0 ? [] : ['  section phases']),
    ...report.phases.map(
      ({ phase, at }, index) => `  ${plain(phase)} :milestone, p${index}, ${at}, 1ms`,
    ),
  ];
  return lines.join('\n');
}

function bar(row: TimelineRow, index: number): string {
  // A bar without width is drawn over the next one.
  const endedAt = Math.max(row.endedAt, row.startedAt + 1);
  return `  ${plain(row.name)} :${tags[row.kind]}s${index}, ${row.startedAt}, ${endedAt}`;
}

/** Colons, semicolons, hashes and percent signs mean something to Mermaid. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_. /-]/g, ' ').slice(0, 60);
}
