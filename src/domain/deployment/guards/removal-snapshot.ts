import type { DrainObservation, DrainVerdict, HostReading } from '../../drain/drain-check.ts';
import type { Service } from '../../health/service-verdict.ts';
import type { Registration, RegistryJob } from '../../registration.ts';
import type { RegistryTerms } from '../../registry-terms.ts';
import type { StackSettings } from '../../settings.ts';
import type { Shard } from '../../shard.ts';
import type { DeploymentRecord } from '../record.ts';

/**
 * Planned effect on a shard, and the facts read for it. A source that was not read permits nothing.
 */
export type RemovalSnapshot = RemovalSubject &
  (
    | PartEvidence
    | RecheckEvidence
    | ForceAfterEvidence
    | CandidateEvidence
    | MethodEvidence
    | OutageEvidence
  );

export interface RemovalSubject {
  readonly record: DeploymentRecord;
  readonly shard: Shard;
  readonly words: RegistryTerms;
}

/** Facts right before each irreversible effect; `change` is an effect of any phase. */
export interface PartEvidence {
  readonly act: 'kill' | 'stop' | 'deregister' | 'destroy' | 'change';
  readonly settings: StackSettings;
  readonly registrations: readonly Registration[];
  /** Use by customers that would end: a job, or production tags (also of a paused runner). */
  readonly use: string | undefined;
  /** Availability of the other shard; undefined until it is checked. */
  readonly other: Service | undefined;
  readonly forceWhenNoneAccepts: boolean;
}

/** Facts right before the runner is removed, one check after the drain. */
interface RecheckEvidence {
  readonly act: 'recheck';
  readonly observation: DrainObservation;
  readonly managers: number;
  readonly isForced: boolean;
}

/** Facts before `drain.force_after` kills jobs. */
interface ForceAfterEvidence {
  readonly act: 'force_after';
  readonly drainVerdict: DrainVerdict;
  readonly drainsForMs: number;
  readonly forceAfterMs: number | undefined;
}

/** Facts before a candidate is put into quarantine, drained and removed. */
interface CandidateEvidence {
  readonly act: 'retreat';
  /** Shard that `deployment_status` names. */
  readonly active: Shard | undefined;
  readonly contacted: boolean;
  /** Jobs without the canary. */
  readonly jobs: readonly RegistryJob[];
  /** Tags of the shard's quarantine: a job on the shard requires one of them. */
  readonly tags: readonly string[];
  readonly hostJobs: number | 'unknown';
  readonly forceWhenNoneAccepts: boolean;
}

/** Facts before `recover` begins. */
export interface MethodEvidence extends Omit<CandidateEvidence, 'act'> {
  readonly act: 'cleanup' | 'replace' | 'terminate';
  /** Whether a job that this token cannot see runs on the shard. */
  readonly hiddenJob: 'no' | 'yes' | 'unknown';
  /** Whether the shard gets no customer job: paused, or without a production tag. */
  readonly quarantined: boolean;
  /** Whether an operator named the machine by its id. */
  readonly isMachineNamed?: boolean;
  readonly registrationGone: boolean;
  /** Whether a manager uses a token that no machine of the shard can read any more. */
  readonly tokenLost: boolean;
  /** Results of the CI's last two provision jobs of this deployment, newest first. */
  readonly lastJobs: readonly ('failed' | 'success')[] | 'unknown';
}

/**
 * Facts before `--although-nothing-serves` removes a shard; the other shard does not accept jobs.
 */
interface OutageEvidence {
  readonly act: 'although_nothing_serves';
  readonly service: Service;
  /** Undefined if no drain has paused its runner, or if the runner no longer exists. */
  readonly pause: PauseEvidence | undefined;
  /** Time since a manager contacted the registry, which does not report this for every runner. */
  readonly contactAgeMs: number | undefined;
}

export interface PauseEvidence {
  /** Actor as a text: `by this deployment`. */
  readonly by: string;
  readonly hosts: readonly HostReading[];
  /** Whether both the host list and EC2 report no machine. */
  readonly isWithoutMachines: boolean;
}
