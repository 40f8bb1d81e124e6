import { parseJson } from './json.ts';

/** One line of a program's log, without what surrounds its message. */
export interface LogEntry {
  /** `doubtful`: no level is written, and its words are those of a failure. */
  readonly level: 'error' | 'warning' | 'doubtful' | 'info';
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads each format of gitlab-runner (`runner`, `text`, `json`), and GitHub's listener, also behind journald's prefix. */
export function readEntry(line: string): LogEntry {
  const text = line.trim().replace(prefixes, '');
  return readJson(text) ?? readLogrus(text) ?? readRunner(text);
}

/** The fields that can hold a cause; ids, checksums, counts and places are left out. */
const telling = ['error', 'err', 'status', 'failure_reason', 'reason', 'exit_code'];
/** As good as no value, or an answer that went well. */
const idle = /^(?:0|unknown_failure|20\d \w+)?$/;

/** The message first, then what its fields add to it. */
export function formatEntry({ level, message, fields }: LogEntry): string {
  const prefix = level === 'error' || level === 'warning' ? `${level.toUpperCase()}: ` : '';
  const line = `${prefix}${message}`;
  const added = telling.flatMap((key) => {
    const value = fields[key];
    const isNew = value !== undefined && !idle.test(value) && !line.includes(value);
    return isNew ? [`${key}=${value}`] : [];
  });
  return [line, ...added].join(' ');
}

// syslog and journald's "short", docker and journald's "short-iso", the listener's own "2026-11-06 08:00:00Z: ".
const prefixes =
  /^(?:[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \S+ [\w.@-]+(?:\[\d+\])?: |\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)(?: \S+ [\w.@-]+\[\d+\]:)? (?!level=)|\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ: )+/;

/** When a line was logged, in milliseconds since 1970; the format `runner` without a prefix writes no time. */
export function timeOfLine(line: string): number | undefined {
  const [, time = ''] = stamped.exec(line.trim()) ?? [];
  const at = Date.parse(time.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(at) ? undefined : at;
}

// A prefix, `"time":"…"` of JSON, or `time="…"` of logrus.
const stamped = /(?:^|"time":\s*"|^time=")(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d))/;

const levels: Readonly<Record<string, LogEntry['level']>> = {
  PANIC: 'error',
  FATAL: 'error',
  ERROR: 'error',
  ERR: 'error',
  WARNING: 'warning',
  WARN: 'warning',
};

function levelOf(name: string | undefined): LogEntry['level'] {
  return levels[(name ?? '').toUpperCase()] ?? 'info';
}

function readJson(text: string): LogEntry | undefined {
  const read = text.startsWith('{') ? parseJson(text) : undefined;
  if (typeof read !== 'object' || read === null) return undefined;
  const pairs = Object.entries(read).map(([key, value]) => [key, asText(value)] as const);
  const { msg, message = msg, level, ...fields } = Object.fromEntries(pairs);
  return message === undefined ? undefined : { level: levelOf(level), message, fields };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** logrus: `time="…" level=warning msg="…" key=value`. */
function readLogrus(text: string): LogEntry | undefined {
  if (!/(?:^| )level=\w+ msg=/.test(text)) return undefined;
  const fields: Record<string, string> = {};
  for (const [, key = '', quoted, plain] of text.matchAll(
    /([\w.-]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g,
  ))
    fields[key] = quoted === undefined ? (plain ?? '') : quoted.replace(/\\(["\\])/g, '$1');
  const { msg = text, level, ...rest } = fields;
  return { level: levelOf(level), message: msg, fields: rest };
}

/** `WARNING: message   key=value key=value`, where a value may have spaces; or plain text. */
function readRunner(text: string): LogEntry {
  const [, name, line = text] =
    /^(?:\[\S+ )?(PANIC|FATAL|ERROR|ERR|WARNING|WARN)(?: \w+\])?:? (.*)$/s.exec(text) ?? [];
  const fields: Record<string, string> = {};
  const start = unit.test(line) ? -1 : line.search(firstField);
  const message = start < 0 ? line : line.slice(0, start);
  const pairs = start < 0 ? '' : line.slice(start);
  for (const [, key = '', value = ''] of pairs.matchAll(pair)) fields[key] = value.trim();
  const isNamed = name !== undefined || start >= 0;
  const level = !isNamed && troubled.test(message) ? 'doubtful' : levelOf(name);
  return { level, message: message.trim(), fields };
}

/** What systemd says of a unit has no fields: `gitlab-runner.service: Main process exited, code=exited, status=1/FAILURE`. */
const unit = /^[\w@.\\-]+\.(?:service|scope): /;
/** A field's name is in lower case; a message may have one of its own in quotes or before a comma. */
const firstField = / +(?:[a-z][\w-]*|StopSignal)=(?!\S*,)/;
const pair = /(?:^| )([A-Za-z][\w-]*)=(.*?)(?= [A-Za-z][\w-]*=|$)/gs;

/** Where no level is written, as in cloud-init's log and of GitHub's listener. */
const troubled =
  /error|fail|fatal|denied|refused|forbidden|exception|not found|no longer|deleted|unable|cannot|could not|timed? ?out|already exists|deprecated|exceeded|allow list|http response code/i;
