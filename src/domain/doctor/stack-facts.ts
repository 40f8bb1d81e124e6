import type { Status } from '../deployment/deployment-status.ts';
import type { LockOwner } from '../deployment/lock/lock-owner.ts';
import type { LockVerdict } from '../deployment/lock/lock-verdict.ts';
import type { OwnerState } from '../deployment/lock/pipeline-state.ts';
import type { DeploymentRecord } from '../deployment/record.ts';
import type { Service } from '../health/service-verdict.ts';
import type { Instance } from '../instance.ts';
import type { TaggedResource } from '../plan/aws-resource.ts';
import type { Registration, RegistryJob, Worker } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { StackSettings } from '../settings.ts';
import type { Shard } from '../shard.ts';

/** Response of a source, or the reason for its absence. A missing response is never a value. */
export type Read<T> =
  /** `at`: arrival of the response, on a monotonic clock. */
  | { readonly kind: 'read'; readonly value: T; readonly at: number }
  | { readonly kind: 'unknown'; readonly trouble: Trouble };

export interface Trouble {
  /** Source of the response, such as `GitLab GET /runners/5` or `AWS ssm:GetParameter`. */
  readonly source: string;
  readonly reason: string;
  /**
   * `refused`: the credentials are invalid. `ended`: they expired during this run. `denied`: they
   * are valid, and this call is not permitted. `unexpected`: the response contradicts the
   * documentation, such as half a response or a proxy's page.
   */
  readonly why: 'refused' | 'ended' | 'denied' | 'silent' | 'unexpected';
  /** First action of the error catalogue for the failure; absent if only waiting helps. */
  readonly fix?: string;
  /** The original error, for callers that cannot report without the response. */
  readonly failure: Error;
}

/** Parameters of a stack in Parameter Store. */
export interface StoredState {
  readonly status: Read<Status>;
  /** Time of the last write of the status, ISO 8601, by AWS's clock. */
  readonly statusSince?: string;
  readonly record: Read<DeploymentRecord | undefined | BrokenRecord>;
  readonly hold: Read<
    { readonly who: string; readonly why: string; readonly since: string } | undefined
  >;
  readonly lock: Read<ObservedLock | undefined>;
}

/** One observation of a stack: plain data for `status`, `doctor` and their `now` lines. */
export interface StackSnapshot extends StoredState {
  readonly settings: StackSettings;
  readonly words: RegistryTerms;
  readonly shards: readonly ShardSnapshot[];
  /** Ids of the canaries of hosted-runner; any other job on a shard is a customer's. */
  readonly canaries: readonly string[];
}

/** Snapshot with all other facts that can be read of a stack. */
export interface StackFacts extends StackSnapshot {
  /** `worker`: each worker registers its own runner, which names its host. */
  readonly registrationsPer: 'shard' | 'worker';
  /** The CI's report on the recorded pipeline; absent if nothing is unfinished. */
  readonly owner?: Read<OwnerState>;
  /** The runner that runs this command, if the CI reports it. */
  readonly ownRegistration?: string;
  readonly shards: readonly ShardFacts[];
}

export type ObservedLock =
  | { readonly kind: 'illegible'; readonly reason: string }
  | {
      readonly kind: 'owned';
      readonly owner: LockOwner;
      /** Whether that owner still runs. */
      readonly verdict: Read<LockVerdict>;
    };

/** A lock, and whether its holder still runs. */
interface HeldLockFacts {
  readonly kind: 'alive' | 'unknown' | 'stale' | 'illegible';
  readonly reason: string;
  /** Process of the holder, if it is stopped and on this machine. */
  readonly stoppedPid?: number;
}

export interface BrokenRecord {
  readonly kind: 'newer' | 'invalid';
  readonly reason: string;
  readonly error: Error;
}

export interface ShardSnapshot {
  readonly shard: Shard;
  readonly registrations: Read<readonly RegistrationFacts[]>;
  /** Availability verdict; `unknown` if no source of the shard responded. */
  readonly service: Service;
  /** Hosts that EC2 does not report as terminated; empty if hosts are not queried. */
  readonly hosts: Read<readonly HostReadingOf[]>;
  /** Tokens of its runners that expire within weeks, or have expired. */
  readonly tokenEndings: Read<readonly string[]>;
  /** Manager versions that expire within weeks, or have expired; absent if not checked. */
  readonly endings?: Read<readonly string[]>;
}

export interface ShardFacts extends ShardSnapshot {
  readonly instances: Read<readonly Instance[]>;
  /**
   * Set if hosts are not queried and the machines have ended; `silent`: no contact for long enough.
   */
  readonly ended: Read<{ readonly isUnresponsive: boolean } | undefined>;
  readonly infrastructure: Read<'present' | 'absent' | 'unknown'>;
  /** Ids in the driver's state; `unknown` if the driver cannot list them. */
  readonly known: Read<readonly string[] | 'unknown'>;
  /** Resources with its tags that are in no state; absent if not checked or not decidable. */
  readonly leftovers?: Read<readonly TaggedResource[]>;
  /** Absent if not checked: reading a token needs more than read permissions. */
  readonly token?: Read<'present' | 'absent'>;
  /** Age of the token, if it has expired by its age. */
  readonly tokenEndedMs?: number;
}

export interface RegistrationFacts extends Registration {
  readonly managers: Read<readonly Worker[]>;
  readonly jobs: Read<readonly RegistryJob[]>;
}

/** Report of one host. */
export interface HostReadingOf {
  readonly id: string;
  readonly agent: 'online' | 'lost';
  readonly process: string;
  readonly jobs: readonly string[] | 'unknown';
  readonly clockOffMs?: number;
  readonly hostTimeMs?: number;
  readonly log: readonly string[];
}

export function answerOf<T>(read: Read<T> | undefined): T | undefined {
  return read?.kind === 'read' ? read.value : undefined;
}

export function formatTrouble({ source, reason }: Trouble): string {
  return `${source}: ${reason}`;
}

/** Returns the lock; unknown as well if its holder could not be checked. */
export function lockOf({
  lock,
}: StoredState): Read<(HeldLockFacts & { readonly owner?: LockOwner }) | undefined> {
  if (lock.kind === 'unknown') return lock;
  const { value, at } = lock;
  if (value?.kind !== 'owned') return { kind: 'read', value, at };
  const { verdict, owner } = value;
  return verdict.kind === 'unknown' ? verdict : { ...verdict, value: { ...verdict.value, owner } };
}

/** Returns undefined also for a record that this version cannot read. */
export function recordFrom({ record }: Pick<StoredState, 'record'>): DeploymentRecord | undefined {
  const found = answerOf(record);
  return found === undefined || 'kind' in found ? undefined : found;
}

export function brokenRecordOf({ record }: StackFacts): BrokenRecord | undefined {
  const found = answerOf(record);
  return found !== undefined && 'kind' in found ? found : undefined;
}

export function shardFrom<One extends { readonly shard: Shard }>(
  shards: readonly One[],
  shard: Shard,
): One {
  const one = shards.find((entry) => entry.shard === shard);
  if (one === undefined) throw new Error(`nothing is known of ${shard}`);
  return one;
}
