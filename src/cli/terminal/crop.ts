import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '../../domain/text/width.ts';

export interface Window {
  readonly columns: number;
  readonly rows: number;
}

/**
 * What fits into a window that is drawn again and again: a terminal would keep the end of a text that is
 * too long, and what stands first is what is looked for first. `note` says what is missing below.
 */
export function cropToWindow(
  lines: readonly string[],
  { columns, rows }: Window,
  note: (missing: number) => string,
): string {
  const height = (text: string) =>
    text.split('\n').reduce((sum, line) => sum + rowsOf(line, columns), 0);
  // One row stays free below, where the cursor is.
  const room = rows - 1;
  if (height(lines.join('\n')) <= room) return lines.join('\n');
  const kept = [...lines];
  const cropped = () => [...kept, note(lines.length - kept.length)].join('\n');
  while (kept.length > 0 && (kept.length === lines.length || height(cropped()) > room)) kept.pop();
  return cropped();
}

/** A terminal breaks what is wider than it is; a colour takes no column. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / columns));
}
