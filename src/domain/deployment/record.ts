import type { AutoRollback, BakeNote } from '../bake/bake-note.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { RolledBackDeployment } from '../fingerprint/rollback-notes.ts';
import type { DeploymentId, RegistrationId, Shard } from '../shard.ts';
import type { LastApply } from './last-apply.ts';
import type { OriginalRouting } from './original-routing.ts';
import { isBefore, type Phase } from './stages-and-steps.ts';
import { type Tally, tallyPhase } from './tally.ts';

/** Our journal of the deployment, `deployment_record`. Immutable; a change makes a new one. */
export interface DeploymentRecord {
  readonly deployment: Deployment;
  readonly shards: Readonly<Record<string, ShardEntry>>;
  /** The last deployments, newest first. */
  readonly history: readonly FinishedDeployment[];
  /**
   * ISO 8601, our own clock: when the registry last took no writes of anybody. It only goes up: a
   * runner that was refused then stays silent for a while, whoever looks.
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
  /** Absent in a stack's first deployment. */
  readonly retiring?: Shard;
  readonly phase: Phase;
  /** ISO 8601. */
  readonly phaseAt: string;
  readonly startedAt: string;
  readonly awaitsApproval?: true; // An approval comes between healthy and promote.
  /** Of `deployment_status`, as the promotion found it: what was written to it since tells who switched. */
  readonly statusVersion?: number;
  readonly tally?: Tally;
  /** ISO 8601: when the retiring shard's processes were first told to end; before that silence is no sign of it. */
  readonly stoppingAt?: string;
  /** Whenever the retiring shard was opened again, because the other one was not proven to serve. */
  readonly reopened?: ReopenNote;
  readonly bake?: BakeNote;
  /** Of a rollback that a bake's verdict has begun; there is never a second one. `status --json` has this name. */
  readonly autoRollback?: AutoRollback;
  /** Of what the last apply of its candidate has built. */
  readonly fingerprint?: Fingerprint;
}

export interface ReopenNote {
  readonly times: number;
  /** Of the last time, ISO 8601. */
  readonly at: string;
  readonly why: string;
}

/** So often opened again, a shard is not closed once more: a person decides. */
export function isLeftToOperator(times: number): boolean {
  return times >= 2;
}

/** Whether a shard's runner accepts jobs, as far as the deployments of its stack have changed that. */
export interface Intake {
  /** `pausing`: a pause may be in effect, or may still take effect. `paused`: it was confirmed. */
  readonly state: 'accepting' | 'pausing' | 'paused';
  /** `unknown`: a pause of hosted-runner had no response, and an operator's pause looks the same. */
  readonly by: 'deployment' | 'operator' | 'unknown';
  /** ISO 8601. */
  readonly since: string;
}

export interface ShardEntry {
  readonly registration?: RegistrationId;
  /** Whether the token of that registration was written to Parameter Store. */
  readonly tokenWritten: boolean;
  /** ISO 8601: when that token ends by itself, as the registry said when it was made. */
  readonly tokenEndsAt?: string;
  /**
   * Whether that registration was ever seen contacted, or with a manager. Never taken back: up to 18.0
   * GitLab forgets the contact with the last manager.
   */
  readonly contacted?: boolean;
  /** Managers with a higher id were born by the last apply. */
  readonly highestWorkerBeforeApply?: number;
  /** The newest canary when the last apply ended: only a later start is evidence. */
  readonly canaryAtApply?: { readonly id: string; readonly started: boolean };
  readonly unhealthyInARow: number;
  readonly lastApply?: LastApply;
  /** Whether a production tag was ever written for this registration. */
  readonly productionTag: boolean;
  readonly evidence?: EvidenceNote;
  /** Of a registry whose workers are removed one by one before their processes are stopped. */
  readonly removal?: RemovalNote;
  /** Absent until a deployment pauses the shard. Read by `shard-intake.ts` alone. */
  readonly intake?: Intake;
  /** Of a registration that a person has made: it is given this back, and never removed, until it is promoted. */
  readonly routingBefore?: OriginalRouting;
}

/** When the removal of the workers began, and when the last one was gone. ISO 8601. */
export interface RemovalNote {
  readonly began: string;
  readonly ended?: string;
}

/** What a promotion may rest on. */
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
  /** In a few words, e.g. `jobs=3 broken=0 wait=41s two_shards=1260s`. */
  readonly cost?: string;
  /** While its bake went on: by the verdict, or by a person. */
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

/** A token that was just made, and is not stored yet: what was known of the older one is no more. */
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

/** What was seen of one registration says nothing of the next. */
function withoutContact({
  contacted: _,
  tokenEndsAt: __,
  routingBefore: ___,
  intake: ____,
  ...entry
}: ShardEntry): ShardEntry {
  return entry;
}

/** Every shard whose registration is among them was contacted, from now on. */
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

/** Forgets what was known of a shard that no longer exists; the verdicts in a row stay, and how it was drained. */
export function withoutShard(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  const { unhealthyInARow, intake } = shardEntry(record, shard);
  const drained = record.deployment.retiring === shard && intake !== undefined ? { intake } : {};
  const entry = { ...untouchedShard, unhealthyInARow, ...drained };
  return { ...record, shards: { ...record.shards, [shard]: entry } };
}

/** Which shard `deployment_status` must name while the record is in this phase; `either` while it is switched. */
export function expectedActive(deployment: Deployment): Shard | 'none' | 'either' {
  const { phase, candidate, retiring } = deployment;
  if (phase === 'promoting') return 'either';
  return isBefore(phase, 'promoted') ? (retiring ?? 'none') : candidate;
}

/** Whether an apply of this shard was begun and none has ended: what it builds may be in no state yet. */
export function isFirstApplyUnended({ highestWorkerBeforeApply, lastApply }: ShardEntry): boolean {
  return highestWorkerBeforeApply !== undefined && lastApply === undefined;
}

/** Whether this version of the status is as new as the one that this deployment has switched it to. */
export function showsOurSwitch({ deployment }: DeploymentRecord, version: number): boolean {
  const { statusVersion, candidate } = deployment;
  if (statusVersion === undefined || expectedActive(deployment) !== candidate) return false;
  return version > statusVersion;
}
