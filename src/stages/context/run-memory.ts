import type { BakeVerdict } from '../../domain/bake/judge-bake.ts';
import type { Phase } from '../../domain/deployment/stages-and-steps.ts';
import type { DrainObservation } from '../../domain/drain/drain-check.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { DeploymentId, RegistrationId, Shard } from '../../domain/shard.ts';
import type { ReadAge } from '../../ports/registry.ts';
import type { StageContext } from './context.ts';
import type { Rollback } from './result.ts';
import type { Timestamps } from './timestamps.ts';

/** Looks at one shard again and again; what its hosts count is told by the difference of two looks. */
export interface ServiceWatch {
  readonly shard: Shard;
  /**
   * Since when, by our clock that never jumps, whoever keeps the other shard closed has not seen it proven:
   * the drain, the bake and what comes after them wait for one proof, and not each for its own.
   */
  unprovenSince: number | undefined;
  /** Through the context that the watch was opened with, or another one; with an age, see `RunnerRegistry.find`. */
  look(using?: StageContext, age?: ReadAge): Promise<Service>;
  /** When the last look began; undefined before the first. */
  checkedAt(): Timestamps | undefined;
  /** A canary that was seen to begin there; `workers`: on which manager, where that is told. */
  tookCanary(job: string, workers?: readonly number[]): void;
  /** A proof begins: what was counted or listed too long before it is read again. */
  beginProof(): void;
  /** Whether another look may prove more than the last one: a host counts what it is answered. */
  mayGrow(): boolean;
  /** Whether its requests go through GitLab's job router, which counts no answer as such. */
  isRouted(): boolean;
}

/** While one shard is closed for its drain, the other one is looked at. */
export interface ServiceKeeper {
  /**
   * Opens the drained shard again if the other one no longer serves.
   * @throws DeployError `ServiceLost` then, unless the deployment rolls back by itself
   */
  look(): Promise<Rollback | undefined>;
  /** Milliseconds until `look` has to check again; infinite if it has nothing to keep. */
  dueInMs(): number;
  /** Somebody else has looked meanwhile, and it serves. */
  resetUnprovenTimer(): void;
}

/** What one process has seen of a promoted shard, carried from lock to lock; nothing of it is written. */
export interface BakeJudge {
  /**
   * Looks, if a look is due, and judges all that was seen. `now` is under the lock: it looks in any case,
   * and runs the canary that is wanted, which nobody may begin without the lock.
   */
  look(using: StageContext, when?: 'due' | 'now'): Promise<BakeVerdict>;
  /** Milliseconds until a look is due. */
  dueInMs(): number;
  /** Whether it was watched for as long as it was to be. */
  isWatched(): boolean;
  /** Whether the watching ends with what is known. */
  isOver(): boolean;
  /** How long ago the shard was promoted by another clock than ours and the promoter's, where one is had. */
  agreeOn(sincePromotedMs: number | undefined): void;
  /** No shard to go back to was found: for a while a bad verdict leads nowhere. */
  losesWay(): void;
  hasWay(): boolean;
}

/** The bake of one deployment as this run watches it. */
export interface BakeMemory {
  readonly deployment: DeploymentId;
  judge: BakeJudge | undefined;
  keeper: ServiceKeeper | undefined;
  /** By our clock that never jumps. */
  proofRequestedAt: number | undefined;
}

export type RunMemory = ReturnType<typeof createRunMemory>;

/** The state of one run, from one lock to the next; nothing of it is written. */
export function createRunMemory() {
  return {
    /** Keys of the texts that are reported once: see `isNews`. */
    reported: new Set<string>(),
    /** The run has begun the deployment, or works on it already: resuming it is no news. */
    hasBegun: false,
    /** Nothing has happened since the candidate was found unhealthy: if the apply changes nothing, the check is brief. */
    isRecheck: false,
    /** The phase that the steps under this lock have resumed: an effect of an earlier run may still arrive. */
    resumedIn: undefined as Phase | undefined,
    /** The checks of the steps under this lock whether a shard serves. */
    watches: new Map<Shard, ServiceWatch>(),
    /** Results in the error that ends this run; its `now:` line must say the same. */
    serviceForNowLine: new Map<Shard, Service>(),
    /** Checks of a shard that has drained. */
    drainChecks: new Map<Shard, readonly DrainObservation[]>(),
    /** Registrations that this run has removed, and seen absent. GitLab gives no id a second time. */
    removed: new Set<RegistrationId>(),
    /** The shard that a rollback of this run has opened. */
    returned: new Set<Shard>(),
    bake: undefined as BakeMemory | undefined,
    /** Right after the lock was written, by our clock that never jumps. */
    lockedAt: undefined as number | undefined,
    /** When the lock was released for a bake. */
    letGoAt: undefined as number | undefined,
    /** The run has watched a bake without the lock: a hold that begins by then ends no watch. */
    hasWatched: false,
  };
}
