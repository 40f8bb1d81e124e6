import { sanitizeLine } from '../transport/sanitize.ts';

const most = 300;

/** Another system's words as one line that is safe to print, cut. */
export function oneLine(text: string): string {
  return sanitizeLine(text, most);
}
