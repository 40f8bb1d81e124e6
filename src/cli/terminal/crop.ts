import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '../../domain/text/width.ts';

export interface Window {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Crops the text to a window that is redrawn. A terminal would show the end of a longer text, but
 * its beginning matters most. `note` describes the missing lines.
 */
export function cropToWindow(
  lines: readonly string[],
  { columns, rows }: Window,
  note: (missing: number) => string,
): string {
  const height = (text: string) =>
    text.split('\n').reduce((sum, line) => sum + rowsOf(line, columns), 0);
  // One row below stays free for the cursor.
  const mostRows = rows - 1;
  if (height(lines.join('\n')) <= mostRows) return lines.join('\n');
  const kept = [...lines];
  const cropped = () => [...kept, note(lines.length - kept.length)].join('\n');
  while (kept.length > 0 && (kept.length === lines.length || height(cropped()) > mostRows))
    kept.pop();
  return cropped();
}

/** Returns the rows of a text: a terminal wraps longer lines, and colours take no column. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / columns));
}
