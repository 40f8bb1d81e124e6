/**
 * One line that neither a terminal nor a CI reads as anything but text. GitHub takes a line that
 * begins with `::` or `##[` for a command; GitLab's section markers need control characters.
 */
export function printable(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return /^(?:::|##\[)/.test(line) ? `· ${line}` : line;
}
