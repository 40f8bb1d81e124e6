import { parseJson } from '../domain/text/json.ts';
import { recordingSchema } from './recording.ts';

/** Response in a recording, as in the file. */
export interface RecordedCall {
  readonly line: number;
  readonly system: 'gitlab' | 'github';
  readonly version?: string;
  readonly call: string;
  /** Value of `?status=` in the request. */
  readonly statusFilter?: string;
  readonly ending:
    | {
        readonly kind: 'answer';
        readonly status: number;
        readonly answer: unknown;
        readonly headers: Readonly<Record<string, string>>;
      }
    | {
        readonly kind: 'not_json';
        readonly status: number;
        readonly detail: string;
        readonly headers: Readonly<Record<string, string>>;
      }
    | { readonly kind: 'same_as'; readonly line: number }
    | { readonly kind: 'failed'; readonly reason: string };
}

export interface Recorded {
  readonly runs: number;
  readonly calls: readonly RecordedCall[];
  /** Problems of the file itself, with line numbers. */
  readonly damage: readonly string[];
}

/** Reads all intact lines and reports the position of the others. */
export function readRecording(text: string): Recorded {
  const calls: RecordedCall[] = [];
  const damage: string[] = [];
  const numbers = new Map<string, number>();
  let runs = 0;
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  lines.forEach((source, index) => {
    const line = index + 1;
    if (source.trim() === '') return;
    const entry = asLine(parseJson(source));
    if (entry === undefined) {
      const isEnd = line === lines.length;
      damage.push(
        isEnd
          ? `line ${line} is incomplete: the run was killed, or the file was truncated`
          : `line ${line} is not a line of a recording`,
      );
      return;
    }
    if (entry['kind'] === 'recording') {
      runs += 1;
      const { schema } = entry;
      if (schema !== recordingSchema)
        damage.push(
          `line ${line} starts a run of schema ${String(schema)}, but this version of hosted-runner supports ${recordingSchema}`,
        );
      return;
    }
    numbers.set(`${entry['run']} ${entry['n']}`, line);
    const call = asCall(entry, { line, numbers });
    if (call === undefined) damage.push(`line ${line} is an unknown call`);
    else calls.push(call);
  });
  return { runs, calls, damage };
}

type RecordedEntry = Readonly<Record<string, unknown>>;

function asLine(value: unknown): RecordedEntry | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entry = value as RecordedEntry;
  return typeof entry['run'] === 'string' && typeof entry['n'] === 'number' ? entry : undefined;
}

function asCall(
  entry: RecordedEntry,
  { line, numbers }: { line: number; numbers: ReadonlyMap<string, number> },
): RecordedCall | undefined {
  const { kind, system, version, method, route, query } = entry;
  if (kind !== 'call' || (system !== 'gitlab' && system !== 'github')) return undefined;
  if (typeof method !== 'string' || typeof route !== 'string') return undefined;
  const ending = endingOf(entry, numbers);
  if (ending === undefined) return undefined;
  const requested = (query as { status?: unknown } | undefined)?.status;
  return {
    line,
    system,
    call: `${method} ${route}`,
    ending,
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof requested === 'string' ? { statusFilter: requested } : {}),
  };
}

function endingOf(
  entry: RecordedEntry,
  numbers: ReadonlyMap<string, number>,
): RecordedCall['ending'] | undefined {
  const { run, failed, same_as: same, status, not_json: detail } = entry;
  if (typeof failed === 'string') return { kind: 'failed', reason: failed };
  if (typeof same === 'number') {
    const line = numbers.get(`${run} ${same}`);
    return line === undefined ? undefined : { kind: 'same_as', line };
  }
  if (typeof status !== 'number') return undefined;
  const headers = textsIn(entry['headers']);
  if (typeof detail === 'string') return { kind: 'not_json', status, detail, headers };
  return { kind: 'answer', status, answer: entry['answer'], headers };
}

function textsIn(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
