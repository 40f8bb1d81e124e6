/** Call in a golden trace. */
export interface TraceEntry {
  readonly at: number;
  readonly incarnation: string;
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly effect: boolean;
  /** Response, or a `CallNote` with the reason why there was none. */
  readonly answer: unknown;
}

/** End of a call without a response. */
export class CallNote {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Formats a value on one short line, without secrets. */
export function summarize(value: unknown): string {
  if (value === undefined) return 'ok';
  if (value instanceof CallNote) return value.text;
  if (typeof value === 'string') return masked(value);
  const inner = (value as { value?: { kind?: unknown } } | null)?.value;
  // A step of a stream is shown as its event.
  if (typeof inner?.kind === 'string') return summarize(inner);
  return masked(cut(JSON.stringify(value) ?? String(value)));
}

function summarizeArgs(args: readonly unknown[]): string {
  return args
    .map((arg) => (typeof arg === 'object' && arg !== null ? briefly(arg) : summarize(arg)))
    .join(' ');
}

/** Formats an argument: a stack's shard by its name, and settings without their values. */
function briefly(arg: object): string {
  const { runnerName, shard } = arg as { runnerName?: unknown; shard?: unknown };
  if (typeof runnerName === 'string' && typeof shard === 'string') return `${shard}-${runnerName}`;
  const entries = Object.entries(arg).map(([key, value]) => {
    if (key === 'settings' || key === 'allowedPattern') return '';
    if (key === 'value' && typeof value === 'string') return `value=${valueBriefly(value)}`;
    return `${key}=${typeof value === 'object' && value !== null && !Array.isArray(value) ? briefly(value) : summarize(value)}`;
  });
  return entries.filter((text) => text !== '').join(' ');
}

/** Formats a stored value without write ids and nonces, which would make every trace different. */
function valueBriefly(text: string): string {
  try {
    const { deployment, job } = JSON.parse(text) as { deployment?: unknown; job?: unknown };
    if (typeof job === 'string') return `(lock of job ${job})`;
    const { id, phase } = (deployment ?? {}) as { id?: unknown; phase?: unknown };
    if (typeof phase === 'string') return `(record of ${id}, ${phase})`;
  } catch {
    // The text is no JSON: a token or an operator's text.
  }
  return masked(cut(text));
}

function masked(text: string): string {
  return text.replace(/glrt-[\w-]+/g, 'glrt-…').replaceAll('/gitlab/dedicated/runner/', '…/');
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Formats a call, e.g. `registry.retire 48213`. */
export function callText(call: Pick<TraceEntry, 'port' | 'method' | 'args'>): string {
  const args = summarizeArgs(call.args);
  return `${call.port}.${call.method}${args === '' ? '' : ` ${args}`}`;
}

export interface TraceStyle {
  /** Whether to show only calls that change the world. */
  readonly effectsOnly?: boolean;
  readonly sleeps?: boolean;
}

/**
 * Formats lines like `+01:20 registry.route 48214 tags=["linux"] -> ok`. Repetitions are counted.
 */
export function formatTrace(
  trace: readonly TraceEntry[],
  startedAt: number,
  { effectsOnly = true, sleeps = false }: TraceStyle = {},
): string[] {
  const lines: { at: string; text: string; times: number }[] = [];
  for (const { at, port, method, args, answer, effect } of trace) {
    if (!effect && (effectsOnly || (port === 'clock' && !sleeps))) continue;
    const text = `${callText({ port, method, args })} -> ${summarize(answer)}`;
    const last = lines.at(-1);
    if (last?.text === text) last.times += 1;
    else lines.push({ at: minutes(at - startedAt), text, times: 1 });
  }
  return lines.map(
    ({ at, text, times }) => `+${at} ${text}${times > 1 ? ` (${times} times)` : ''}`,
  );
}

function minutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
