import type { EvidenceKind } from './evidence.ts';

/** What may stand behind missing evidence. The order is the order in which they are believed. */
export const diagnosisCodes = [
  'registration_deleted',
  'registration_lost',
  'runner_orphaned',
  'session_conflict',
  'name_taken',
  'api_rate_limited',
  'address_refused',
  'registration_paused',
  'token_refused',
  'token_absent',
  'version_ended',
  'certificate_untrusted',
  'clock_off',
  'instance_absent',
  'instance_stopped',
  'instance_never_booted',
  'agent_lost',
  'aws_throttled',
  'runner_absent',
  'runner_stopped',
  'registry_failing',
  'address_wrong',
  'registry_unreachable',
  'no_matching_tags',
  'host_cannot_work',
  'plugin_missing',
  'subnet_full',
  'zone_without_capacity',
  'worker_reclaimed',
  'workers_not_made',
  'executor_broken',
  'capacity_missing',
  'targets_unreachable',
  'canary_not_startable',
] as const;

export type DiagnosisCode = (typeof diagnosisCodes)[number];

/** One entry of the catalogue. `docs/operate/diagnosis.md` is made from it. */
export interface DiagnosisEntry {
  /** A sentence's beginning, without a dot. */
  readonly title: string;
  /** What gives it away: log lines, states, missing evidence. */
  readonly signs: string;
  /** Whether the shard may still become healthy if one only waits; of a refused token the registry says it. */
  readonly time: 'may_help' | 'cannot_help';
  /** Why time helps or does not. */
  readonly because: string;
  /** What no command of this program can do, to be done first; `{runner}` and `{shard}` are filled in. */
  readonly acts?: readonly string[];
  readonly last: { readonly say: string; readonly command: 'recover' | 'provision' };
}

/** A diagnosis of one shard at one time. */
export interface Diagnosis {
  readonly code: DiagnosisCode;
  readonly title: string;
  /** The very words or states that it was read from. */
  readonly seen: string;
  readonly time: DiagnosisEntry['time'];
  readonly because: string;
  readonly acts: readonly string[];
  readonly mendedBy: DiagnosisEntry['last']['command'];
}

/** What was seen of the shard; absent: it was not looked at, or could not be. */
export interface DiagnosisFacts {
  readonly missing: readonly EvidenceKind[];
  readonly registration?: {
    readonly id: string;
    readonly state: 'present' | 'absent';
    readonly paused?: boolean;
    readonly tags?: readonly string[];
    /** Tags that it would have to have for the job that is waited for. */
    readonly expectedTags?: readonly string[];
  };
  /** Instances by their Name tag as EC2 knows them, where EC2 may be asked. */
  readonly instances?: readonly { readonly id: string; readonly state: string }[];
  readonly hosts?: readonly { readonly id: string; readonly agent: 'online' | 'lost' }[];
  readonly reports?: readonly HostFacts[];
  /** Why a volume and a container could not be made. */
  readonly workload?: string;
  readonly unreachable?: string;
  readonly capacity?: string;
  /** What GitLab says of a canary that failed on the candidate or cannot be started. */
  readonly canary?: { readonly kind: 'failed' | 'not_startable'; readonly reason: string };
}

export interface HostFacts {
  readonly id: string;
  readonly process: string;
  readonly log: readonly string[];
  /** Its clock minus ours, as far as it is certain; positive: it is ahead. */
  readonly clockOffMs?: number;
  readonly token?: 'accepted' | 'refused' | 'unknown';
  /** Its own time at the check, in milliseconds since 1970. */
  readonly hostTimeMs?: number;
  /** A request for a job was answered since the last one that failed, by the program's own count. */
  readonly answeredSince?: boolean;
}
