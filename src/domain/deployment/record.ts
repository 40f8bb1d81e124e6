import type { AutoRollback, BakeNote } from '../bake/bake-note.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { RolledBackDeployment } from '../fingerprint/rollback-notes.ts';
import type { DeploymentId, RegistrationId, Shard } from '../shard.ts';
import type { LastApply } from './last-apply.ts';
import type { OriginalRouting } from './original-routing.ts';
import { isBefore, type Phase } from './stages-and-steps.ts';
import { type Tally, tallyPhase } from './tally.ts';

/** Deployment record, `deployment_record`. Immutable: a change creates a new object. */
export interface DeploymentRecord {
  readonly deployment: Deployment;
  readonly shards: Readonly<Record<string, ShardEntry>>;
  /** The last deployments, newest first. */
  readonly history: readonly FinishedDeployment[];
  /**
   * ISO 8601, hosted-runner's clock: when the registry last refused writes. It never decreases: a
   * refused runner then sends no request for a while.
   */
  readonly writesRefusedAt?: string;
  /** Deployments that were rolled back, newest first. */
  readonly rollbacks?: readonly RolledBackDeployment[];
}

export type DeploymentKind = 'deploy' | 'rollback' | 'activate';

export interface Deployment {
  readonly id: DeploymentId;
  readonly kind: DeploymentKind;
  /** ISO 8601. Orders deployments: an older pipeline is superseded. */
  readonly pipelineCreatedAt: string;
  readonly pipelineUrl?: string;
  readonly by: string;
  readonly candidate: Shard;
  /** Absent in the first deployment of a stack. */
  readonly retiring?: Shard;
  readonly phase: Phase;
  /** ISO 8601. */
  readonly phaseAt: string;
  readonly startedAt: string;
  readonly awaitsApproval?: true; // An approval comes between healthy and promote.
  /** Version of `deployment_status` before the promotion: a later one identifies the switch. */
  readonly statusVersion?: number;
  readonly tally?: Tally;
  /**
   * ISO 8601: first stop signal to the retiring shard. Only after it may a missing response mean an
   * end.
   */
  readonly stoppingAt?: string;
  /** Reopens of the retiring shard, made because the candidate was not verified. */
  readonly reopened?: ReopenNote;
  readonly bake?: BakeNote;
  /** Rollback that a bake's verdict started, at most once. `status --json` uses this name. */
  readonly autoRollback?: AutoRollback;
  /** Fingerprint of the candidate's last apply. */
  readonly fingerprint?: Fingerprint;
}

export interface ReopenNote {
  readonly times: number;
  /** Time of the last reopen, ISO 8601. */
  readonly at: string;
  readonly why: string;
}

/** Returns whether a shard was reopened too often to be paused again: an operator decides. */
export function isLeftToOperator(times: number): boolean {
  return times >= 2;
}

/** Whether a shard's runner accepts jobs, as far as deployments of its stack changed that. */
export interface Intake {
  /** `pausing`: a pause may be in effect, or may still take effect. `paused`: it was confirmed. */
  readonly state: 'accepting' | 'pausing' | 'paused';
  /** `unknown`: a pause got no response, and an operator's pause has the same effect. */
  readonly by: 'deployment' | 'operator' | 'unknown';
  /** ISO 8601. */
  readonly since: string;
}

export interface ShardEntry {
  readonly registration?: RegistrationId;
  /** Whether that runner's token was written to Parameter Store. */
  readonly tokenWritten: boolean;
  /** ISO 8601: expiry of that token, as the registry reported it at its creation. */
  readonly tokenEndsAt?: string;
  /**
   * Whether that runner ever had a contact or a manager. Never reset: up to 18.0, GitLab forgets
   * the contact with the last manager.
   */
  readonly contacted?: boolean;
  /** Managers with a higher id were created by the last apply. */
  readonly highestWorkerBeforeApply?: number;
  /** The newest canary at the end of the last apply: only a later start is evidence. */
  readonly canaryAtApply?: { readonly id: string; readonly started: boolean };
  readonly unhealthyInARow: number;
  readonly lastApply?: LastApply;
  /** Whether a production tag was ever written for this runner. */
  readonly productionTag: boolean;
  readonly evidence?: EvidenceNote;
  /**
   * Removal of workers one by one, for a registry that requires it before their processes stop.
   */
  readonly removal?: RemovalNote;
  /** Absent until a deployment pauses the shard. Only `shard-intake.ts` reads it. */
  readonly intake?: Intake;
  /** Settings to restore on an operator's runner; until its promotion, it is never removed. */
  readonly routingBefore?: OriginalRouting;
}

/** Start and end of the removal of the workers. ISO 8601. */
export interface RemovalNote {
  readonly began: string;
  readonly ended?: string;
}

/** Evidence on which a promotion may rely. */
export interface EvidenceNote {
  readonly at: string;
  readonly workers: readonly number[];
  readonly canary?: string;
}

export interface FinishedDeployment {
  readonly id: string;
  readonly kind: DeploymentKind;
  readonly candidate: string;
  readonly finishedAt: string;
  /** Summary such as `jobs=3 broken=0 wait=41s two_shards=1260s`. */
  readonly cost?: string;
  /** Rolled back during its bake, by the verdict or by an operator. */
  readonly isRolledBack?: true;
}

export const untouchedShard: ShardEntry = {
  tokenWritten: false,
  unhealthyInARow: 0,
  productionTag: false,
};

export function shardEntry(record: DeploymentRecord | undefined, shard: Shard): ShardEntry {
  return record?.shards[shard] ?? untouchedShard;
}

export function withPhase(record: DeploymentRecord, phase: Phase, at: string): DeploymentRecord {
  const { retiring, tally: before } = record.deployment;
  const tally = tallyPhase(before, { phase, at, hasRetiring: retiring !== undefined });
  const deployment = { ...record.deployment, phase, phaseAt: at };
  return {
    ...record,
    deployment: tally === undefined ? deployment : { ...deployment, tally },
  };
}

export function withShard(
  record: DeploymentRecord,
  shard: Shard,
  change: Partial<ShardEntry>,
): DeploymentRecord {
  const entry = withChange(shardEntry(record, shard), change);
  return { ...record, shards: { ...record.shards, [shard]: entry } };
}

export function withChange(before: ShardEntry, change: Partial<ShardEntry>): ShardEntry {
  const { registration } = change;
  const isAnother = registration !== undefined && registration !== before.registration;
  return { ...(isAnother ? withoutContact(before) : before), ...change };
}

/** Notes a new token that is not stored yet, and removes all facts about the previous one. */
export function withNewToken(
  record: DeploymentRecord,
  shard: Shard,
  { registration, endsAt }: { registration: RegistrationId; endsAt: string | undefined },
): DeploymentRecord {
  const { tokenEndsAt: _, ...before } = shardEntry(record, shard);
  const renewed = { ...record, shards: { ...record.shards, [shard]: before } };
  return withShard(renewed, shard, {
    registration,
    tokenWritten: false,
    ...(endsAt === undefined ? {} : { tokenEndsAt: endsAt }),
  });
}

/** Removes observations of one runner, because they do not apply to the next. */
function withoutContact({
  contacted: _,
  tokenEndsAt: __,
  routingBefore: ___,
  intake: ____,
  ...entry
}: ShardEntry): ShardEntry {
  return entry;
}

/** Notes the contact of every shard whose runner is in `contacted`. */
export function withContacts(
  record: DeploymentRecord,
  contacted: ReadonlySet<string>,
): DeploymentRecord {
  const shards = Object.entries(record.shards).map(([shard, entry]) => {
    const isSeen = entry.registration !== undefined && contacted.has(entry.registration);
    return [shard, isSeen ? { ...entry, contacted: true } : entry];
  });
  return { ...record, shards: Object.fromEntries(shards) };
}

export function withRefusedWrites(record: DeploymentRecord, at: string): DeploymentRecord {
  const { writesRefusedAt: before } = record;
  const isNewer = before === undefined || Date.parse(at) > Date.parse(before);
  return isNewer ? { ...record, writesRefusedAt: at } : record;
}

export function withDeployment(
  record: DeploymentRecord,
  change: Partial<Deployment>,
): DeploymentRecord {
  return { ...record, deployment: { ...record.deployment, ...change } };
}

/**
 * Resets a shard that no longer exists, except its consecutive verdicts and its drain's intake.
 */
export function withoutShard(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  const { unhealthyInARow, intake } = shardEntry(record, shard);
  const drained = record.deployment.retiring === shard && intake !== undefined ? { intake } : {};
  const entry = { ...untouchedShard, unhealthyInARow, ...drained };
  return { ...record, shards: { ...record.shards, [shard]: entry } };
}

/**
 * Returns the shard that `deployment_status` must name in this phase; `either` during the switch.
 */
export function expectedActive(deployment: Deployment): Shard | 'none' | 'either' {
  const { phase, candidate, retiring } = deployment;
  if (phase === 'promoting') return 'either';
  return isBefore(phase, 'promoted') ? (retiring ?? 'none') : candidate;
}

/** Returns whether the shard's first apply never ended: its resources may be in no state yet. */
export function isFirstApplyUnended({ highestWorkerBeforeApply, lastApply }: ShardEntry): boolean {
  return highestWorkerBeforeApply !== undefined && lastApply === undefined;
}

/** Returns whether this version of the status includes the switch of this deployment. */
export function showsOurSwitch({ deployment }: DeploymentRecord, version: number): boolean {
  const { statusVersion, candidate } = deployment;
  if (statusVersion === undefined || expectedActive(deployment) !== candidate) return false;
  return version > statusVersion;
}
