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

/** What a source said, or why it could not be asked; silence is never an answer. */
export type Read<T> =
  /** `at`: when the response arrived, by the clock that never jumps. */
  | { readonly kind: 'read'; readonly value: T; readonly at: number }
  | { readonly kind: 'unknown'; readonly trouble: Trouble };

export interface Trouble {
  /** `GitLab GET /runners/5`, `AWS ssm:GetParameter`. */
  readonly source: string;
  readonly reason: string;
  /**
   * `refused`: our credentials are, whatever is asked; `ended`: so are they, and were taken before in this
   * run; `denied`: they are taken, and this is not permitted.
   */
  readonly why: 'refused' | 'ended' | 'denied' | 'silent';
  /** As it was thrown, for whoever can report nothing without the response. */
  readonly failure: Error;
}

/** What Parameter Store holds of a stack. */
export interface StoredState {
  readonly status: Read<Status>;
  readonly record: Read<DeploymentRecord | undefined | BrokenRecord>;
  readonly hold: Read<
    { readonly who: string; readonly why: string; readonly since: string } | undefined
  >;
  readonly lock: Read<ObservedLock | undefined>;
}

/** A stack as it was seen once: plain data from which `status`, `doctor` and their `now` lines are told. */
export interface StackSnapshot extends StoredState {
  readonly settings: StackSettings;
  readonly words: RegistryTerms;
  readonly shards: readonly ShardSnapshot[];
  /** Ids of our own canaries; nothing else that runs on a shard is one. */
  readonly canaries: readonly string[];
}

/** The same with everything else that can be known of a stack. */
export interface StackFacts extends StackSnapshot {
  /** Where each worker is registered by itself, it says which host it is. */
  readonly registrationsPer: 'shard' | 'worker';
  /** What the CI says of the pipeline that the record names; absent: nothing is unfinished. */
  readonly owner?: Read<OwnerState>;
  /** The registration that runs this very command, where a CI says so. */
  readonly ownRegistration?: string;
  readonly shards: readonly ShardFacts[];
}

export type ObservedLock =
  | { readonly kind: 'illegible'; readonly reason: string }
  | {
      readonly kind: 'owned';
      readonly owner: LockOwner;
      /** Whether that owner is still at work. */
      readonly judged: Read<LockVerdict>;
    };

/** A lock, and whether somebody still stands behind it. */
interface HeldLockFacts {
  readonly kind: 'alive' | 'unknown' | 'stale' | 'illegible';
  readonly reason: string;
  /** Of its process, where that is of this machine and stopped. */
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
  /** The judge's word; of a shard that nobody could be asked of, that it is unknown. */
  readonly service: Service;
  /** Without those that EC2 calls terminated; none where hosts are not asked. */
  readonly hosts: Read<readonly HostReadingOf[]>;
  /** Of its registrations' tokens what ends within weeks, or has ended. */
  readonly tokenEndings: Read<readonly string[]>;
  /** Of its managers' versions what ends within weeks, or has ended; absent where nobody looks. */
  readonly endings?: Read<readonly string[]>;
}

export interface ShardFacts extends ShardSnapshot {
  readonly instances: Read<readonly Instance[]>;
  /** Where no host is asked, and its machines have ended; `silent`: so long that a person's word takes it. */
  readonly ended: Read<{ readonly silent: boolean } | undefined>;
  readonly infrastructure: Read<'present' | 'absent' | 'unknown'>;
  /** Ids in the driver's state; `unknown` where the driver cannot say. */
  readonly known: Read<readonly string[] | 'unknown'>;
  /** What carries its tags and is in no state; absent where nobody looks or nothing can be told. */
  readonly leftovers?: Read<readonly TaggedResource[]>;
  readonly token: Read<'present' | 'absent'>;
  /** How old the token is, where it has ended by its age. */
  readonly tokenEndedMs?: number;
}

export interface RegistrationFacts extends Registration {
  readonly managers: Read<readonly Worker[]>;
  readonly jobs: Read<readonly RegistryJob[]>;
}

/** One host's own word. */
export interface HostReadingOf {
  readonly id: string;
  readonly agent: 'online' | 'lost';
  readonly process: string;
  readonly jobs: readonly string[] | 'unknown';
  readonly clockOffMs?: number;
  readonly hostTimeMs?: number;
  readonly log: readonly string[];
}

export function answerOf<T>(read: Read<T>): T | undefined {
  return read.kind === 'read' ? read.value : undefined;
}

export function formatTrouble({ source, reason }: Trouble): string {
  return `${source}: ${reason}`;
}

/** Not known as well where nobody could say whether its owner is at work. */
export function lockOf({
  lock,
}: StoredState): Read<(HeldLockFacts & { readonly owner?: LockOwner }) | undefined> {
  if (lock.kind === 'unknown') return lock;
  const { value, at } = lock;
  if (value?.kind !== 'owned') return { kind: 'read', value, at };
  const { judged, owner } = value;
  return judged.kind === 'unknown' ? judged : { ...judged, value: { ...judged.value, owner } };
}

/** Undefined as well of a record that this program cannot read. */
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
