/** As much of another system's line as a person reads; the whole of it is what is judged. */
const mostShown = 240;
/** What stands behind a word that gives a cause away is its reason. */
const behind = 100;

/** The beginning and the end: what happened stands first, and a program's reason last. */
export function shownLine(line: string): string {
  const text = line.trim();
  if (text.length <= mostShown) return text;
  const head = Math.floor(mostShown / 3);
  return `${whole(text.slice(0, head))}…${whole(text.slice(text.length - (mostShown - head)))}`;
}

/** The part around what counts in it. */
export function shownMatch(line: string, pattern: RegExp): string {
  const text = line.trim();
  const found = pattern.exec(text);
  if (text.length <= mostShown || found === null) return shownLine(text);
  const end = Math.min(text.length, Math.max(mostShown, found.index + found[0].length + behind));
  const start = Math.max(0, end - mostShown);
  return `${start > 0 ? '…' : ''}${whole(text.slice(start, end))}${end < text.length ? '…' : ''}`;
}

/** Without the halves of characters that lie at a cut. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
