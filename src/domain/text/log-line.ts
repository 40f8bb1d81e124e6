import { formatLogEntry, type LogEntry, readEntries, readEntry } from './log-entry.ts';

/** Characters that are shown of another system's line; checks read the whole line. */
const mostShown = 240;
/** Characters kept after the word that identifies the cause: the reason follows it. */
const behind = 100;

/** Keeps the beginning, which states the event, and the end, which states the reason. */
export function shownLine(line: string): string {
  const text = line.trim();
  if (text.length <= mostShown) return text;
  const head = Math.floor(mostShown / 3);
  return `${whole(text.slice(0, head))}…${whole(text.slice(text.length - (mostShown - head)))}`;
}

/** Returns the part of a line around the match, message first. */
export function shownMatch(line: string, pattern: RegExp): string {
  const logText = formatLogEntry(readEntry(line));
  if (pattern.test(shownLine(logText))) return shownLine(logText);
  const text = pattern.test(logText) ? logText : line.trim();
  const found = pattern.exec(text);
  if (text.length <= mostShown || found === null) return shownLine(text);
  const end = Math.min(text.length, Math.max(mostShown, found.index + found[0].length + behind));
  const start = Math.max(0, end - mostShown);
  return `${start > 0 ? '…' : ''}${whole(text.slice(start, end))}${end < text.length ? '…' : ''}`;
}

/** A line that repeats the line before it. */
const echo = /^Submitting job to coordinator\.+ ?job failed/;

/** All versions of the runner give the cause of a job's failure on this line. */
const jobEnd = /^Job failed\b/;

/**
 * Returns the last lines of a log that name a cause, each once.
 * 1. Return all errors, and the warnings of one job: `job`, else the last failed job, else the last
 *    line's job.
 * 2. Without levels, return lines with words of a failure. Without those, return the last lines.
 * 3. If these are too many, errors and the job's end take precedence over other warnings.
 */
export function causeLines(
  log: readonly string[],
  most: number,
  { job: wanted }: { readonly job?: string | undefined } = {},
): readonly string[] {
  const entries = readEntries(log.filter((line) => line.trim() !== '')).filter(
    ({ message }) => !echo.test(message),
  );
  const levelled = entries.filter(({ level }) => level === 'error' || level === 'warning');
  const doubtful = entries.filter(({ level }) => level === 'doubtful');
  const ended = levelled.findLast(({ message }) => jobEnd.test(message));
  const named = levelled.find(({ fields }) => wanted !== undefined && fields['job'] === wanted);
  const job = (named ?? ended ?? levelled.at(-1))?.fields['job'];
  const isOf = ({ fields }: LogEntry) => job === undefined || fields['job'] === job;
  const isFatal = ({ level, fields }: LogEntry) =>
    level === 'error' && (named === undefined || fields['job'] === undefined);
  const related = levelled.filter((entry) => isFatal(entry) || isOf(entry));
  const logText = [related, doubtful].find(({ length }) => length > 0) ?? entries;
  const runs: { text: string; times: number; isFirst: boolean }[] = [];
  for (const entry of logText) {
    const text = shownLine(formatLogEntry(entry));
    const known = runs.findIndex((one) => one.text === text);
    const times = known < 0 ? 0 : (runs.splice(known, 1)[0]?.times ?? 0);
    const isFirst = isFatal(entry) || (isOf(entry) && jobEnd.test(entry.message));
    runs.push({ text, times: times + 1, isFirst });
  }
  const chosen = new Set(
    [...runs.filter(({ isFirst }) => !isFirst), ...runs.filter(({ isFirst }) => isFirst)].slice(
      -most,
    ),
  );
  return runs
    .filter((run) => chosen.has(run))
    .map(({ text, times }) => (times === 1 ? text : `${text} (${times} times)`));
}

/** Removes halves of characters at a cut. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
