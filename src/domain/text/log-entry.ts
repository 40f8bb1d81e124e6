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
export function formatLogEntry({ level, message, fields }: LogEntry): string {
  const prefix = level === 'error' || level === 'warning' ? `${level.toUpperCase()}: ` : '';
  const line = `${prefix}${headOf(message)}`;
  const added = telling.flatMap((key) => {
    const value = fields[key];
    const isNew = value !== undefined && !idle.test(value) && !line.includes(value);
    return isNew ? [`${key}=${headOf(value)}`] : [];
  });
  return [line, ...added].join(' ');
}

/** The first line, and one more if the first line announces it. */
function headOf(text: string): string {
  const [first = '', second = ''] = text.trim().split(/\s*\n\s*/);
  return first.endsWith(':') && second !== '' ? `${first} ${second}` : first;
}

/** The entries of a log; in the format `runner`, an entry of several lines has its fields on its last line. */
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

/** As the runner's longest message has them. */
const mostLines = 20;

/** Adds nothing to a cause, but ends one: `increasing instances response`. */
const counts = ['num_successful'];

/** Fields whose values are names and addresses that people have chosen: `runner_name=docker`. */
const chosen = /(?:^|_)(?:name|path|url|group|description)$/;

/**
 * What a sign is read from: without what people have named, the name of a job included; of an error or a warning
 * without each field that holds no cause.
 */
export function judgedText(line: string): string {
  const { level, message, fields } = readEntry(line);
  const isTelling = (key: string) => telling.includes(key) || counts.includes(key);
  const isUnchosen = (key: string) => !chosen.test(key);
  const isKept = level === 'error' || level === 'warning' ? isTelling : isUnchosen;
  const kept = Object.entries(fields).filter(([key]) => isKept(key));
  const named = message
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^(Running job: ).*/s, '$1')
    .replace(jobEnd, 'Job$1');
  return [named, ...kept.map(([key, value]) => `${key}=${value}`)].join(' ');
}

/** As GitHub's listener writes it: JobDispatcher.cs. */
const jobEnd = /^Job .*( completed with result: \w+)$/s;

// syslog and journald's "short", journald's "short-iso", docker's "--timestamps", the listener's own "2026-11-06 08:00:00Z: ".
const prefixes =
  /^(?:[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \S+ [\w.@-]+(?:\[\d+\])?: |\d{4}-\d\d-\d\dT[\d:.,]+(?:[+-]\d\d:?\d\d \S+ [\w.@()-]+(?:\[\d+\])?:|(?:Z|[+-]\d\d:?\d\d)(?: \S+ [\w.@-]+\[\d+\]:)?) (?!level=)|\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ: )+/;

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

/** logrus: `time="…" level=warning msg="…" key=value`. */
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

/** `WARNING: message   key=value key=value`, where a value may have spaces; or plain text. */
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

// gitlab-runner's own; logrus's for a terminal, `WARN[0007] …`; the listener's `[2026-11-06 08:00:00Z ERR  Listener] …`.
const levelled =
  /^(?:\[[\d-]+ \S+ )?(PANIC|PANI|FATAL|FATA|ERROR|ERRO|ERR|WARNING|WARN|INFO|DEBU)(?:\[\d+\]| +\w+\])?:? (.*)$/s;

/** The end of a program by Go's runtime, or by .NET's. */
const crash = /^(?:panic|fatal error): |^Unhandled exception\b/;
/** What follows is a name that people have given a job. */
const ofJob = /^(?:Running job: |Job .* completed with result: (?!Failed))/s;

/** What systemd says of a unit has no fields: `gitlab-runner.service: Main process exited, code=exited, status=1/FAILURE`. */
const unit = /^[\w@.\\-]+\.(?:service|scope): /;
/** A field's name is in lower case; a message may have one of its own in quotes or before a comma. */
const firstField = / +(?:[a-z][\w-]*|StopSignal)=(?!\S*,)/;
const pair = /(?:^| )([A-Za-z][\w-]*)=(.*?)(?= [A-Za-z][\w-]*=|$)/gs;

/** Where no level is written, as in cloud-init's log and of GitHub's listener. */
const troubled =
  /error|fail|fatal|denied|refused|forbidden|exception|not found|no longer|deleted|unable|cannot|could not|timed? ?out|already exists|deprecated|exceeded|allow list|http response code/i;
