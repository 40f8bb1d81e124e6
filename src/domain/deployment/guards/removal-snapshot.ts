import type { DrainObservation, DrainVerdict, HostReading } from '../../drain/drain-check.ts';
import type { Service } from '../../health/service-verdict.ts';
import type { Registration, RegistryJob } from '../../registration.ts';
import type { RegistryTerms } from '../../registry-terms.ts';
import type { StackSettings } from '../../settings.ts';
import type { Shard } from '../../shard.ts';
import type { DeploymentRecord } from '../record.ts';

/** What is to be done to a shard, and what was read for it. A source that was not read allows nothing. */
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

/** Right before each effect that cannot be undone; `change`: one that a shard may need in any phase. */
export interface PartEvidence {
  readonly act: 'kill' | 'stop' | 'deregister' | 'destroy' | 'change';
  readonly settings: StackSettings;
  readonly registrations: readonly Registration[];
  /** What customers would lose: production tags, also of a paused runner, or a job. */
  readonly use: string | undefined;
  /** Undefined until it is checked. */
  readonly other: Service | undefined;
  readonly forceWhenNothingServes: boolean;
}

/** Right before the runner is removed, one check after the drain. */
interface RecheckEvidence {
  readonly act: 'recheck';
  readonly look: DrainObservation;
  readonly managers: number;
  readonly isForced: boolean;
}

/** Before `drain.force_after` kills jobs. */
interface ForceAfterEvidence {
  readonly act: 'force_after';
  readonly drainVerdict: DrainVerdict;
  readonly drainsForMs: number;
  readonly forceAfterMs: number | undefined;
}

/** Before a candidate is put into quarantine, drained and removed. */
interface CandidateEvidence {
  readonly act: 'retreat';
  /** The shard that `deployment_status` names. */
  readonly active: Shard | undefined;
  readonly contacted: boolean;
  /** Without the canary. */
  readonly jobs: readonly RegistryJob[];
  /** Of the shard's quarantine: a job that runs there has asked for one of them. */
  readonly tags: readonly string[];
  readonly hostJobs: number | 'unknown';
  readonly forceWhenNothingServes: boolean;
}

/** Before `recover` begins. */
export interface MethodEvidence extends Omit<CandidateEvidence, 'act'> {
  readonly act: 'cleanup' | 'replace' | 'terminate';
  /** A job that runs on the shard and that this token is not shown. */
  readonly hiddenJob: 'no' | 'yes' | 'unknown';
  /** Whether customers' jobs are kept from the shard: paused, or without a production tag. */
  readonly quarantined: boolean;
  /** An operator has named the machine by its id. */
  readonly isMachineNamed?: boolean;
  readonly registrationGone: boolean;
  /** A manager uses a token that no machine of the shard can read any more. */
  readonly tokenLost: boolean;
  /** What the CI's last two provision jobs of this deployment ended with, newest first. */
  readonly lastJobs: readonly ('failed' | 'success')[] | 'unknown';
}

/** Before `--although-nothing-serves` takes a shard; the other one was found not to serve. */
interface OutageEvidence {
  readonly act: 'although_nothing_serves';
  readonly service: Service;
  /** Undefined if no drain has paused its runner, or if that is gone. */
  readonly pause: PauseEvidence | undefined;
  /** Since a manager of it contacted the registry, which does not report that of every runner. */
  readonly contactAgeMs: number | undefined;
}

export interface PauseEvidence {
  /** `by this deployment`. */
  readonly by: string;
  readonly hosts: readonly HostReading[];
  /** By the hosts' list and by EC2. */
  readonly isWithoutMachines: boolean;
}
