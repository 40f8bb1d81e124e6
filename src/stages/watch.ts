import type { Evidence, EvidenceKind } from '../domain/health.ts';
import { type ShardEntry, shardEntry } from '../domain/record.ts';
import type { Shard } from '../domain/shard.ts';
import type { HostReport } from '../ports/runner-host.ts';
import { type StageContext, timestamp } from './context.ts';

/** What is carried from one look at a shard to the next. */
export interface Watch {
  readonly shard: Shard;
  readonly entry: ShardEntry;
  /** Managers on which a canary has succeeded. */
  readonly proven: Set<number>;
  canaryFailures: number;
  canaryStarts: number;
  canary?: string;
  workload?: Evidence;
  /** Managers that count, as last seen. */
  workers: readonly number[];
  hostReports: readonly HostReport[];
  /** Whether something is about to be decided, so that the next look comes soon. */
  hot: boolean;
}

export function startWatch({ journal }: StageContext, shard: Shard): Watch {
  return {
    shard,
    entry: shardEntry(journal.current(), shard),
    proven: new Set(),
    canaryFailures: 0,
    canaryStarts: 0,
    workers: [],
    hostReports: [],
    hot: false,
  };
}

const sources: Readonly<Record<EvidenceKind, string>> = {
  instance: 'AWS Systems Manager',
  manager: 'GitLab',
  host: 'Run Command',
  workload: 'Run Command',
  canary: 'GitLab',
};

export function note(
  context: StageContext,
  kind: EvidenceKind,
  state: Evidence['state'],
  detail: string,
): Evidence {
  return { kind, state, detail, source: sources[kind], at: timestamp(context) };
}
