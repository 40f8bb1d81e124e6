import { sanitizeLine } from '../transport/words/sanitize.ts';

const most = 300;
/** Limit of a log line that is checked as a whole: the reason may follow after byte 300. */
const mostOfLine = 2000;

/** Returns another system's text as one cut line that is safe to print. */
export function oneLine(text: string): string {
  return sanitizeLine(text, most);
}

/**
 * Returns a log line in full, for checks before the cut. It is redacted twice: also after control
 * characters are removed, which may hide a secret.
 */
export function wholeLine(text: string, redact: (text: string) => string): string {
  return redact(sanitizeLine(redact(text), mostOfLine));
}
