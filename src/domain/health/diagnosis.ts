import type { EvidenceKind } from './evidence.ts';

/** Possible causes of missing evidence, most likely first. */
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

/** Entry of the catalogue; `docs/operate/diagnosis.md` is generated from it. */
export interface DiagnosisEntry {
  /** Beginning of a sentence, without a full stop. */
  readonly title: string;
  /** Symptoms: log lines, states, missing evidence. */
  readonly signs: string;
  /** Whether waiting alone may help; for a refused token, the registry decides. */
  readonly time: 'may_help' | 'cannot_help';
  /** Reason for `time`. */
  readonly because: string;
  /**
   * Actions before the command that hosted-runner cannot do; `{runner}` and `{shard}` are filled
   * in.
   */
  readonly acts?: readonly string[];
  readonly last: { readonly text: string; readonly command: 'recover' | 'provision' };
}

/** Diagnosis of one shard at one time. */
export interface Diagnosis {
  readonly code: DiagnosisCode;
  readonly title: string;
  /** Observed text or state, verbatim. */
  readonly seen: string;
  readonly time: DiagnosisEntry['time'];
  readonly because: string;
  readonly acts: readonly string[];
  readonly fixedBy: DiagnosisEntry['last']['command'];
}

/** Observations of the shard; an absent one was not made or had no response. */
export interface DiagnosisFacts {
  readonly missing: readonly EvidenceKind[];
  readonly registration?: {
    readonly id: string;
    readonly state: 'present' | 'absent';
    readonly paused?: boolean;
    readonly tags?: readonly string[];
    /** Tags that the awaited job requires. */
    readonly expectedTags?: readonly string[];
  };
  /** Instances with the Name tag as EC2 lists them, if EC2 may be queried. */
  readonly instances?: readonly { readonly id: string; readonly state: string }[];
  readonly hosts?: readonly { readonly id: string; readonly agent: 'online' | 'lost' }[];
  readonly reports?: readonly HostFacts[];
  /** Reason why no volume or container could be created. */
  readonly workload?: string;
  readonly unreachable?: string;
  readonly capacity?: string;
  /** GitLab's report on a canary that failed on the candidate or cannot be started. */
  readonly canary?: { readonly kind: 'failed' | 'not_startable'; readonly reason: string };
}

export interface HostFacts {
  readonly id: string;
  readonly process: string;
  readonly log: readonly string[];
  /** The host's clock minus hosted-runner's, as far as certain; positive: the host is ahead. */
  readonly clockOffMs?: number;
  readonly token?: 'accepted' | 'refused' | 'unknown';
  /** The host's time at the check, in milliseconds since 1970. */
  readonly hostTimeMs?: number;
  /** Whether the program has counted an answered job request since its last failed one. */
  readonly answeredSince?: boolean;
}
