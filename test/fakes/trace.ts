/** One call, for golden traces. */
export interface TraceEntry {
  readonly at: number;
  readonly incarnation: string;
  readonly port: string;
  readonly method: string;
  readonly args: string;
  readonly effect: boolean;
  readonly outcome: string;
}

/** A value on one short line, without secrets. */
export function summarize(value: unknown): string {
  if (value === undefined) return 'ok';
  if (typeof value === 'string') return masked(value);
  return masked(cut(JSON.stringify(value) ?? String(value)));
}

export function summarizeArgs(args: readonly unknown[]): string {
  return args
    .map((arg) => (typeof arg === 'object' && arg !== null ? briefly(arg) : summarize(arg)))
    .join(' ');
}

/** A stack's shard by its name; of settings, only that they were there. */
function briefly(arg: object): string {
  const { runnerName, shard } = arg as { runnerName?: unknown; shard?: unknown };
  if (typeof runnerName === 'string' && typeof shard === 'string') return `${shard}-${runnerName}`;
  const entries = Object.entries(arg).map(([key, value]) => {
    if (key === 'settings') return '';
    return `${key}=${typeof value === 'object' && value !== null && !Array.isArray(value) ? briefly(value) : summarize(value)}`;
  });
  return entries.filter((text) => text !== '').join(' ');
}

function masked(text: string): string {
  return text.replace(/glrt-[\w-]+/g, 'glrt-…');
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export interface TraceStyle {
  /** Only what changes the world. */
  readonly effectsOnly?: boolean;
  readonly sleeps?: boolean;
}

/** Lines like `+01:20 registry.route 48214 tags=["linux"] -> ok`, times since `startedAt`. */
export function formatTrace(
  trace: readonly TraceEntry[],
  startedAt: number,
  { effectsOnly = true, sleeps = false }: TraceStyle = {},
): string[] {
  return trace
    .filter(({ effect, port }) => effect || (!effectsOnly && (port !== 'clock' || sleeps)))
    .map(({ at, port, method, args, outcome }) => {
      const call = `${port}.${method}${args === '' ? '' : ` ${args}`}`;
      return `+${minutes(at - startedAt)} ${call} -> ${outcome}`;
    });
}

function minutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
