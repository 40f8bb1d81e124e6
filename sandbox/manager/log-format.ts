/** Formats of a runner's log. `runner` is the default and always coloured. */
export type LogFormat = 'runner' | 'text' | 'json';

export interface LogLine {
  readonly level: 'info' | 'warning' | 'error' | 'fatal';
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number>>;
}

/**
 * Formats one line like gitlab-runner. log/runner_formatter.go pads the message to 50 columns and
 * leaves values unchanged. The other formats are those of logrus.
 */
export function formatLine(line: LogLine, { format, at }: { format: LogFormat; at: Date }): string {
  if (format === 'json') return formatJson(line, at);
  return format === 'text' ? formatText(line, at) : formatColoured(line);
}

const colours = {
  info: '',
  warning: '\u001b[0;33m',
  error: '\u001b[31;1m',
  fatal: '\u001b[31;1m',
} as const;
const prefixes = { info: '', warning: 'WARNING: ', error: 'ERROR: ', fatal: 'FATAL: ' } as const;
const reset = '\u001b[0;m';
const columns = 50;

function formatColoured({ level, message, fields = {} }: LogLine): string {
  const [colour, prefix] = [colours[level], prefixes[level]];
  const pairs = sorted(fields).map(([key, value]) => ` ${colour}${key}${reset}=${value}`);
  return `${colour}${prefix}${message.padEnd(columns - prefix.length)}${reset} ${pairs.join('')}`;
}

function formatJson({ level, message, fields = {} }: LogLine, at: Date): string {
  const all = { ...fields, level, msg: message, time: at.toISOString() };
  return JSON.stringify(Object.fromEntries(sorted(all)));
}

function formatText({ level, message, fields = {} }: LogLine, at: Date): string {
  const time = at.toISOString().replace(/\.\d+/, '');
  const pairs = sorted(fields).map(([key, value]) => ` ${key}=${quoted(String(value))}`);
  return `time=${quoted(time)} level=${level} msg=${quoted(message)}${pairs.join('')}`;
}

/** Quotes a text as logrus does, unless it only has letters, digits and a few signs. */
function quoted(text: string): string {
  return /^[\w./@^+-]+$/.test(text) ? text : JSON.stringify(text);
}

function sorted<Value>(fields: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
}
