import { sanitizeLine } from '../transport/words/sanitize.ts';

const most = 300;
/** A line of a log is judged as it was written; of some the reason stands behind byte 300. */
const mostOfLine = 2000;

/** Another system's words as one line that is safe to print, cut. */
export function oneLine(text: string): string {
  return sanitizeLine(text, most);
}

/** The same for a line that is judged before it is cut: redacted also once nothing hides in it. */
export function wholeLine(text: string, redact: (text: string) => string): string {
  return redact(sanitizeLine(redact(text), mostOfLine));
}
