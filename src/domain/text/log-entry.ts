import { parseJson } from './json.ts';

/** One log line without the text around its message. */
export interface LogEntry {
  /** `doubtful`: no level is given, but the words describe a failure. */
  readonly level: 'error' | 'warning' | 'doubtful' | 'info';
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads every format of gitlab-runner (`runner`, `text`, `json`) and GitHub's listener, with or
 * without journald's prefix.
 */
export function readEntry(line: string): LogEntry {
  const text = line.trim().replace(prefixes, '');
  return readJson(text) ?? readLogrus(text) ?? readRunner(text);
}

/** Fields that can name a cause; ids, checksums, counts and places are omitted. */
const causeKeys = ['error', 'err', 'status', 'failure_reason', 'reason', 'exit_code'];
/** Values that are empty or report success. */
const idle = /^(?:0|unknown_failure|20\d \w+)?$/;

/** Formats the message, then the additional information of its fields. */
export function formatLogEntry({ level, message, fields }: LogEntry): string {
  const prefix = level === 'error' || level === 'warning' ? `${level.toUpperCase()}: ` : '';
  const line = `${prefix}${headOf(message)}`;
  const added = causeKeys.flatMap((key) => {
    const value = fields[key];
    const isNew = value !== undefined && !idle.test(value) && !line.includes(value);
    return isNew ? [`${key}=${headOf(value)}`] : [];
  });
  return [line, ...added].join(' ');
}

/** Returns the first line, and the second if the first announces it. */
function headOf(text: string): string {
  const [first = '', second = ''] = text.trim().split(/\s*\n\s*/);
  return first.endsWith(':') && second !== '' ? `${first} ${second}` : first;
}

/**
 * Reads the entries of a log. In the format `runner`, a multi-line entry has its fields on its last
 * line.
 */
export function readEntries(lines: readonly string[]): readonly LogEntry[] {
  const entries = lines.map(readEntry);
  return entries.map((entry, index) => {
    if (entry.level !== 'error' && entry.level !== 'warning') return entry;
    if (Object.keys(entry.fields).length > 0) return entry;
    const rest = entries.slice(index + 1, index + 1 + mostLines);
    const next = rest.findIndex(({ level }) => level === 'error' || level === 'warning');
    const last = rest.findIndex(({ fields }) => Object.keys(fields).length > 0);
    if (last < 0 || (next >= 0 && next < last)) return entry;
    const [second = ''] = rest.map(({ message }) => message);
    return { ...entry, message: `${entry.message}\n${second}`, fields: rest[last]?.fields ?? {} };
  });
}

/** Lines of the runner's longest message. */
const mostLines = 20;

/** Fields that name no cause, but end one: `increasing instances response`. */
const counts = ['num_successful'];

/** Fields with user-defined names and addresses: `runner_name=docker`. */
const chosen = /(?:^|_)(?:name|path|url|group|description)$/;

/**
 * Returns the text in which signs are searched: without user-defined names, including job names.
 * Errors and warnings keep only the fields that can name a cause.
 */
export function formatSignText(line: string): string {
  const { level, message, fields } = readEntry(line);
  const isCauseKey = (key: string) => causeKeys.includes(key) || counts.includes(key);
  const isUnchosen = (key: string) => !chosen.test(key);
  const isKept = level === 'error' || level === 'warning' ? isCauseKey : isUnchosen;
  const kept = Object.entries(fields).filter(([key]) => isKept(key));
  const named = message
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^(Running job: ).*/s, '$1')
    .replace(jobEnd, 'Job$1');
  return [named, ...kept.map(([key, value]) => `${key}=${value}`)].join(' ');
}

/** Format of GitHub's listener: JobDispatcher.cs. */
const jobEnd = /^Job .*( completed with result: \w+)$/s;

// Prefixes: syslog, journald's "short" and "short-iso", docker's "--timestamps", the listener's
// "2026-11-06 08:00:00Z: ".
const prefixes =
  /^(?:[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \S+ [\w.@-]+(?:\[\d+\])?: |\d{4}-\d\d-\d\dT[\d:.,]+(?:[+-]\d\d:?\d\d \S+ [\w.@()-]+(?:\[\d+\])?:|(?:Z|[+-]\d\d:?\d\d)(?: \S+ [\w.@-]+\[\d+\]:)?) (?!level=)|\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ: )+/;

/**
 * Returns the time of a line in milliseconds since 1970; undefined in the format `runner` without a
 * prefix.
 */
export function timeOfLine(line: string): number | undefined {
  const [, time = ''] = stamped.exec(line.trim()) ?? [];
  const at = Date.parse(time.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(at) ? undefined : at;
}

// Time as a prefix, as `"time":"…"` in JSON, or as `time="…"` in logrus.
const stamped = /(?:^|"time":\s*"|^time=")(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d))/;

const levels: Readonly<Record<string, LogEntry['level']>> = {
  PANIC: 'error',
  PANI: 'error',
  FATAL: 'error',
  FATA: 'error',
  ERROR: 'error',
  ERRO: 'error',
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

const escaped: Readonly<Record<string, string>> = { n: '\n', t: ' ' };

/** Reads logrus: `time="…" level=warning msg="…" key=value`. */
function readLogrus(text: string): LogEntry | undefined {
  if (!/(?:^| )level=\w+ msg=/.test(text)) return undefined;
  const fields: Record<string, string> = {};
  for (const [, key = '', quoted, plain] of text.matchAll(
    /([\w.-]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g,
  ))
    fields[key] =
      quoted === undefined
        ? (plain ?? '')
        : quoted.replace(/\\(.)/g, (_, sign) => escaped[sign] ?? sign);
  const { msg = text, level, ...rest } = fields;
  return { level: levelOf(level), message: msg, fields: rest };
}

/**
 * Reads `WARNING: message   key=value key=value`, whose values may contain spaces, or plain text.
 */
function readRunner(text: string): LogEntry {
  const [, name, line = text] = levelled.exec(text) ?? [];
  const fields: Record<string, string> = {};
  const start = unit.test(line) ? -1 : line.search(firstField);
  const message = start < 0 ? line : line.slice(0, start);
  const pairs = start < 0 ? '' : line.slice(start);
  for (const [, key = '', value = ''] of pairs.matchAll(pair)) fields[key] = value.trim();
  const isNamed = name !== undefined || start >= 0;
  const isDoubtful = !isNamed && troubled.test(message) && !ofJob.test(message);
  const level = crash.test(text) ? 'error' : isDoubtful ? 'doubtful' : levelOf(name);
  return { level, message: message.trim(), fields };
}

// Formats of gitlab-runner, of logrus for a terminal (`WARN[0007] …`), and of the listener
// (`[2026-11-06 08:00:00Z ERR  Listener] …`).
const levelled =
  /^(?:\[[\d-]+ \S+ )?(PANIC|PANI|FATAL|FATA|ERROR|ERRO|ERR|WARNING|WARN|INFO|DEBU)(?:\[\d+\]| +\w+\])?:? (.*)$/s;

/** Crash message of Go's or .NET's runtime. */
const crash = /^(?:panic|fatal error): |^Unhandled exception\b/;
/** Beginning of a message that continues with a user-defined job name. */
const ofJob = /^(?:Running job: |Job .* completed with result: (?!Failed))/s;

/**
 * Messages of systemd have no fields: `gitlab-runner.service: Main process exited, code=exited,
 * status=1/FAILURE`.
 */
const unit = /^[\w@.\\-]+\.(?:service|scope): /;
/**
 * Names of fields are in lower case. A message may itself contain `key=`, in quotes or before a
 * comma.
 */
const firstField = / +(?:[a-z][\w-]*|StopSignal)=(?!\S*,)/;
const pair = /(?:^| )([A-Za-z][\w-]*)=(.*?)(?= [A-Za-z][\w-]*=|$)/gs;

/**
 * Words of a failure in logs without levels, such as cloud-init's and those of GitHub's listener.
 */
const troubled =
  /error|fail|fatal|denied|refused|forbidden|exception|not found|no longer|deleted|unable|cannot|could not|timed? ?out|already exists|deprecated|exceeded|allow list|http response code/i;
