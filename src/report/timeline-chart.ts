import { formatDuration } from '../domain/duration.ts';
import { escapeMarkup } from './markup.ts';
import type { PhaseMark } from './run-report.ts';
import type { TimelineRow } from './timeline-rows.ts';

const labelWidth = 190;
const chartWidth = 700;
const rowHeight = 26;
const ticks = 5;

/** The timeline as an inline SVG; its colours are the page's. */
export function renderChart(rows: readonly TimelineRow[], phases: readonly PhaseMark[]): string {
  const from = Math.min(...rows.map((row) => row.startedAt));
  const until = Math.max(from + 1, ...rows.map((row) => row.endedAt));
  const x = (at: number) => labelWidth + ((at - from) / (until - from)) * chartWidth;
  const bottom = rows.length * rowHeight + 8;
  const width = labelWidth + chartWidth + 90;
  return `<svg viewBox="0 0 ${width} ${bottom + 44}" role="img" aria-label="Timeline">
${axis({ from, until, bottom, x })}
${rows.map((row, index) => bar(row, { y: index * rowHeight + 4, x })).join('\n')}
${phases.map((mark) => phaseMark(mark, { bottom, x })).join('\n')}
</svg>`;
}

type Scale = (at: number) => number;

function axis({
  from,
  until,
  bottom,
  x,
}: {
  from: number;
  until: number;
  bottom: number;
  x: Scale;
}): string {
  return Array.from({ length: ticks }, (_, index) => {
    const at = from + ((until - from) * index) / (ticks - 1);
    const left = x(at).toFixed(1);
    return `<line class="grid" x1="${left}" x2="${left}" y1="0" y2="${bottom}"/><text class="tick" x="${left}" y="${bottom + 16}">+${formatDuration(at - from)}</text>`;
  }).join('\n');
}

function bar(row: TimelineRow, { y, x }: { y: number; x: Scale }): string {
  const left = x(row.startedAt);
  const width = Math.max(2, x(row.endedAt) - left);
  const took = formatDuration(row.endedAt - row.startedAt);
  return `<g class="${row.kind}"><title>${escapeMarkup(`${row.name}: ${took}`)}</title><text x="${labelWidth - 8}" y="${y + 14}" text-anchor="end">${escapeMarkup(shorten(row.name))}</text><rect x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${rowHeight - 8}" rx="3"/><text class="took" x="${(left + width + 5).toFixed(1)}" y="${y + 14}">${took}</text></g>`;
}

function phaseMark({ phase, at }: PhaseMark, { bottom, x }: { bottom: number; x: Scale }): string {
  const left = x(at).toFixed(1);
  return `<g class="phase"><title>${escapeMarkup(phase)}</title><line x1="${left}" x2="${left}" y1="0" y2="${bottom}"/><text x="${left}" y="${bottom + 32}">${escapeMarkup(phase)}</text></g>`;
}

function shorten(name: string): string {
  return name.length > 26 ? `${name.slice(0, 25)}…` : name;
}
