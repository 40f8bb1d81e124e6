import type { EventLine, Head, RunLog } from './event-file-parser.ts';

/** Knowledge of one run so far: the results of its queries and effects, and nothing else. */
export interface WorldModel {
  record: RecordState | undefined;
  /** Version of the record as last read or written; `own` after this run has written it. */
  version: number;
  own: boolean;
  /** The record as last read or written, and its previous text. */
  recordTexts: readonly string[];
  /** Whether the last read record differs from this run's last write. */
  foreign: boolean;
  /** `undefined`: never read; `null`: it names no shard. */
  active: string | null | undefined;
  statusVersion: number;
  registrations: Map<string, RunnerState>;
  /** Number of jobs by runner, or `unknown`. */
  jobs: Map<string, number | 'unknown'>;
  /** Result for each worker at the last attempt to remove them, by runner. */
  removals: Map<string, readonly RemovalState[]>;
  /** Hosts on which nothing can run any more, as EC2 or the hosts report. */
  dead: Set<string>;
  /** Machines that EC2 reported as terminated; Systems Manager may list them for some minutes. */
  ended: Set<string>;
  /** Machines that EC2 does not list. */
  missing: Set<string>;
  /** Hosts of workers with their own runner. */
  workers: Map<number, string>;
  /** Hosts by shard. */
  hosts: Map<string, readonly string[] | 'unknown'>;
  exists: Map<string, string>;
  /** Shards whose listed EC2 instances are all terminated. */
  terminated: Set<string>;
  /** Parameters that were read as absent. */
  absent: Set<string>;
}

export interface RunnerState {
  readonly gone: boolean;
  /** Set if the registry has listed its shard since, without it. */
  readonly unlisted?: boolean;
  readonly description?: string;
  readonly paused?: boolean;
  readonly production?: boolean;
  readonly contacted?: boolean;
}

export interface RemovalState {
  readonly worker: { readonly id: number; readonly host_id?: string };
  readonly outcome: string;
}

/**
 * Order of the phases from the first production tag on, independent of the program's own table.
 */
const later = ['promoting', 'promoted', 'draining', 'drained', 'baked', 'destroying', 'done'];

export function hasReached(phase: string, first: string): boolean {
  return later.indexOf(phase) >= later.indexOf(first);
}

export interface RecordState {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: number;
  readonly candidate: string;
  readonly retiring: string | undefined;
  readonly phase: string;
  readonly startedAt: number;
  /** Whether a bake was configured; `baking`: it has not ended. */
  readonly bakes: boolean;
  readonly baking: boolean;
  /** Deployment that a bake's verdict rolls back. */
  readonly autoRollback: string | undefined;
  /** One line per earlier deployment, newest first. */
  readonly history: readonly string[];
  readonly shards: Readonly<Record<string, EntryState>>;
}

export interface EntryState {
  readonly registration?: string;
  readonly production_tag?: boolean;
  readonly evidence?: { readonly at: string };
  readonly removal?: { readonly began?: string; readonly ended?: string };
  readonly last_apply?: { readonly at: string } & Readonly<Record<string, unknown>>;
}

/** Call of a port, or the start of one with an effect. */
export interface PortCall {
  readonly line: EventLine;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly begins: boolean;
  readonly answered: boolean;
  readonly answer: unknown;
  /** Whether a rejected call may have had its effect. */
  readonly mayHave: boolean;
  readonly failure: string;
}

export function emptyWorldModel(): WorldModel {
  return {
    record: undefined,
    version: 0,
    own: false,
    recordTexts: [],
    foreign: false,
    active: undefined,
    statusVersion: 0,
    registrations: new Map(),
    jobs: new Map(),
    removals: new Map(),
    dead: new Set(),
    ended: new Set(),
    missing: new Set(),
    workers: new Map(),
    hosts: new Map(),
    exists: new Map(),
    terminated: new Set(),
    absent: new Set(),
  };
}

/**
 * Lists the calls of a run in order; a read with an unchanged response gets the earlier response.
 */
export function callsOf({ lines }: RunLog): readonly PortCall[] {
  const byNumber = new Map(lines.map((line) => [line.n, line]));
  return lines.flatMap((line) => {
    const { fields, kind } = line;
    if (kind !== 'begin' && kind !== 'call') return [];
    const before = byNumber.get(Number(fields['same_as']))?.fields;
    const merged = before === undefined ? fields : { ...fields, ...pick(before) };
    return [
      {
        line,
        name: String(merged['call']),
        args: (merged['args'] ?? []) as unknown[],
        begins: kind === 'begin',
        answered: merged['outcome'] === 'answered',
        answer: merged['answer'],
        mayHave: merged['effect_unknown'] === true,
        failure: String(merged['failure'] ?? ''),
      },
    ];
  });
}

function pick({ args, answer }: Readonly<Record<string, unknown>>) {
  return { args, answer };
}

export function parameterIn({ args }: PortCall): { name: string; value: string | undefined } {
  const first = args[0] as { name?: unknown; value?: unknown } | string | undefined;
  if (typeof first === 'string') return { name: first, value: undefined };
  const value = first?.value;
  return { name: String(first?.name), value: typeof value === 'string' ? value : undefined };
}

interface Baked {
  readonly bake?: { readonly ended?: object };
  readonly takes_back?: { readonly id: string };
}

export function readRecord(text: string | undefined): RecordState | undefined {
  try {
    const { deployment, shards, history } = JSON.parse(text ?? '') as {
      deployment: Record<string, string | undefined> & Baked;
      shards: Record<string, EntryState>;
      history?: readonly unknown[];
    };
    return {
      id: String(deployment['id']),
      kind: String(deployment['kind']),
      createdAt: Date.parse(String(deployment['pipeline_created_at'])),
      candidate: String(deployment['candidate']),
      retiring: deployment['retiring'],
      phase: String(deployment['phase']),
      startedAt: Date.parse(String(deployment['started_at'])),
      bakes: deployment.bake !== undefined,
      baking: deployment.bake !== undefined && deployment.bake.ended === undefined,
      autoRollback: deployment.takes_back?.id,
      history: (history ?? []).map(String),
      shards,
    };
  } catch {
    return undefined;
  }
}

export function readActive(text: string | undefined, { shards }: Head): string | null {
  try {
    const { active_shard: one, inactive_shard: other } = JSON.parse(text ?? '') as Record<
      string,
      string
    >;
    const valid = one !== other && shards.includes(one ?? '') && shards.includes(other ?? '');
    return valid ? (one ?? null) : null;
  } catch {
    return null;
  }
}

/** Lists the last known hosts, except on terminated machines. */
export function hostsThere(known: WorldModel, shard: string): readonly string[] | 'unknown' {
  const hosts = known.hosts.get(shard) ?? 'unknown';
  return hosts === 'unknown' ? hosts : hosts.filter((host) => !known.ended.has(host));
}
