/**
 * Event file as described in docs/operate/evidence.md, parsed without any code of hosted-runner.
 */
export interface EventFile {
  readonly runs: readonly RunLog[];
  /** The unchanged text of the file. */
  readonly text: string;
  /** Lines that are no events, and lines that are missing. */
  readonly damage: readonly string[];
}

export interface RunLog {
  readonly id: string;
  readonly head: Head | undefined;
  readonly lines: readonly EventLine[];
  readonly end: End | undefined;
}

export interface EventLine {
  /** Line number in the file, from 1. */
  readonly place: number;
  readonly at: string;
  readonly ms: number;
  readonly n: number;
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Head {
  readonly command: string;
  readonly deployment: string;
  readonly createdAt: number;
  readonly ci: string;
  readonly own: string | undefined;
  readonly runner: string;
  /** Whether each worker has its own runner, whose removal requires proof that it is idle. */
  readonly removes: boolean;
  readonly shards: readonly string[];
  readonly prefix: string;
  readonly tags: readonly string[];
  readonly required: readonly string[];
  readonly mayKill: boolean;
}

export interface End {
  readonly place: number;
  readonly outcome: string;
  readonly exitCode: number;
  readonly code: string;
  readonly why: readonly string[];
  readonly now: string | undefined;
  readonly fix: readonly string[];
}

export function readEventFile(text: string): EventFile {
  const damage: string[] = [];
  const runs = new Map<string, EventLine[]>();
  const known = new Set<string>();
  let again = 0;
  for (const [index, given] of text.split('\n').entries()) {
    // An editor may have added a byte order mark at the start and carriage returns at the ends.
    const raw = given.replace(/^\ufeff/, '').trim();
    if (raw === '') continue;
    // An event counts once, even if a file is named twice or is part of another.
    if (known.has(raw)) {
      again += 1;
      continue;
    }
    known.add(raw);
    const fields = parse(raw);
    if (fields === undefined) {
      damage.push(`line ${index + 1} is not a line of evidence`);
      continue;
    }
    const id = String(fields['run']);
    const lines = runs.get(id) ?? [];
    const line = {
      place: index + 1,
      at: String(fields['at']),
      ms: Number(fields['ms']),
      n: Number(fields['n']),
      kind: String(fields['kind']),
      fields,
    };
    if (line.n !== (lines.at(-1)?.n ?? 0) + 1)
      damage.push(`line ${line.place}: a line of run ${id} is missing before it`);
    lines.push(line);
    runs.set(id, lines);
  }
  if (again > 0) damage.push(`${again} ${again === 1 ? 'line is' : 'lines are'} given twice`);
  return { runs: [...runs].map(([id, lines]) => runOf(id, lines)), text, damage };
}

function parse(raw: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null || !('kind' in value) || !('run' in value))
      return undefined;
    return inSnakeCase(value) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Converts names to snake_case: files of schema 1 have some in camelCase. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.entries(value).map(([key, entry]) => [
    key.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    inSnakeCase(entry),
  ]);
  return Object.fromEntries(named);
}

function runOf(id: string, lines: readonly EventLine[]): RunLog {
  const head = lines.find(({ kind }) => kind === 'run');
  const resumed = lines.find(({ kind }) => kind === 'resumed');
  const end = lines.find(({ kind }) => kind === 'end');
  return {
    id,
    lines,
    head: head === undefined ? undefined : headOf({ ...head.fields, ...namedBy(resumed) }),
    end: end === undefined ? undefined : endOf(end),
  };
}

/** Returns the deployment that a command at a terminal resumes, which a later line names. */
function namedBy(resumed: EventLine | undefined): Readonly<Record<string, unknown>> {
  if (resumed === undefined) return {};
  const { deployment, pipeline_created_at } = resumed.fields;
  return { deployment, pipeline_created_at };
}

function headOf(fields: Readonly<Record<string, unknown>>): Head {
  const stack = (fields['stack'] ?? {}) as Record<string, unknown>;
  const evidence = (stack['evidence'] ?? {}) as Record<string, unknown>;
  return {
    command: String(fields['command']),
    deployment: String(fields['deployment']),
    createdAt: Date.parse(String(fields['pipeline_created_at'])),
    ci: String(fields['ci']),
    own: fields['own_registration'] as string | undefined,
    runner: String(stack['runner_name']),
    removes: stack['runners'] === 'github',
    shards: (stack['shards'] ?? []) as string[],
    prefix: String(stack['parameter_prefix']),
    tags: (stack['tags'] ?? []) as string[],
    required: Object.keys(evidence).filter((kind) => evidence[kind] === 'required'),
    mayKill: stack['may_kill_jobs'] === true,
  };
}

function endOf({ place, fields }: EventLine): End {
  // In schema 1, the fields of an error are among the other fields.
  const errorFields = (fields['error'] ?? fields) as Readonly<Record<string, unknown>>;
  return {
    place,
    outcome: String(fields['outcome']),
    exitCode: Number(fields['exit_code']),
    code: String(errorFields['code'] ?? ''),
    why: (errorFields['why'] ?? []) as string[],
    now: errorFields['now'] as string | undefined,
    fix: (errorFields['fix'] ?? []) as string[],
  };
}
