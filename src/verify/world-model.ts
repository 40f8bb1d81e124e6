import type { EventLine, Head, RunLog } from './event-file-parser.ts';

/** What a run was told of the world so far: nothing that it did not ask or do itself. */
export interface WorldModel {
  record: RecordState | undefined;
  /** Of the record, as last read or written; `own` once this run has written it. */
  version: number;
  own: boolean;
  /** The record as last read or written, and what stood before it. */
  recordTexts: readonly string[];
  /** The record that was last read is not the one that this run has written. */
  foreign: boolean;
  /** `undefined`: never looked; `null`: it names no shard. */
  active: string | null | undefined;
  statusVersion: number;
  registrations: Map<string, RunnerState>;
  /** Jobs by registration: how many, or that nobody knows. */
  jobs: Map<string, number | 'unknown'>;
  /** What became of each worker at the last try to remove them, by registration. */
  removals: Map<string, readonly RemovalState[]>;
  /** Hosts on which nothing can run any more, by the cloud's word or by their own. */
  dead: Set<string>;
  /** Machines that EC2 has called terminated; Systems Manager may list them for minutes more. */
  ended: Set<string>;
  /** Machines that EC2 says it does not know. */
  missing: Set<string>;
  /** Hosts of workers that are registered by themselves. */
  workers: Map<number, string>;
  /** Hosts by shard. */
  hosts: Map<string, readonly string[] | 'unknown'>;
  exists: Map<string, string>;
  /** Shards of which EC2 has named instances, all of them terminated. */
  terminated: Set<string>;
  /** Parameters that were seen not to be there. */
  absent: Set<string>;
}

export interface RunnerState {
  readonly gone: boolean;
  /** The registry has listed its shard since, without it. */
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

/** The judge's own order, from the first production tag on. */
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
  /** A bake was configured; `baking`: it has not ended. */
  readonly bakes: boolean;
  readonly baking: boolean;
  /** The deployment that a bake's verdict takes back. */
  readonly autoRollback: string | undefined;
  /** A line for each deployment before, the newest first. */
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

/** A call, or the beginning of one that changes something. */
export interface PortCall {
  readonly line: EventLine;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly begins: boolean;
  readonly answered: boolean;
  readonly answer: unknown;
  /** It was rejected, and may have happened all the same. */
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

/** The calls of a run in their order; a read that answered as before is given its answer. */
export function callsOf({ lines }: RunLog): readonly PortCall[] {
  const byNumber = new Map(lines.map((line) => [line.n, line]));
  return lines.flatMap((line) => {
    const { fields, kind } = line;
    if (kind !== 'begin' && kind !== 'call') return [];
    const before = byNumber.get(Number(fields['same_as']))?.fields;
    const told = before === undefined ? fields : { ...fields, ...pick(before) };
    return [
      {
        line,
        name: String(told['call']),
        args: (told['args'] ?? []) as unknown[],
        begins: kind === 'begin',
        answered: told['outcome'] === 'answered',
        answer: told['answer'],
        mayHave: told['effect_unknown'] === true,
        failure: String(told['failure'] ?? ''),
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

/** Those that were listed last, but for machines that have ended. */
export function hostsThere(known: WorldModel, shard: string): readonly string[] | 'unknown' {
  const hosts = known.hosts.get(shard) ?? 'unknown';
  return hosts === 'unknown' ? hosts : hosts.filter((host) => !known.ended.has(host));
}
