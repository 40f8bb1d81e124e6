import type { BakeVerdict } from '../../domain/bake/judge-bake.ts';
import type { Phase } from '../../domain/deployment/stages-and-steps.ts';
import type { DrainObservation } from '../../domain/drain/drain-check.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { DeploymentId, RegistrationId, Shard } from '../../domain/shard.ts';
import type { ReadAge } from '../../ports/registry.ts';
import type { StageContext } from './context.ts';
import type { Rollback } from './result.ts';
import type { Timestamps } from './timestamps.ts';

/** Repeated checks of one shard. Two checks show by their difference what its hosts counted. */
export interface ServiceWatch {
  readonly shard: Shard;
  /**
   * Monotonic time since which the shard has not been verified while the other shard stays paused.
   * The drain, the bake and the steps after them share this timer.
   */
  unprovenSince: number | undefined;
  /**
   * Checks the shard through the given context, by default the one that opened the watch. For
   * `age`, see `RunnerRegistry.find`.
   */
  check(using?: StageContext, age?: ReadAge): Promise<Service>;
  /** Returns when the last check began; undefined before the first check. */
  checkedAt(): Timestamps | undefined;
  /** Records a canary that started on this shard. `workers` lists its managers, if known. */
  tookCanary(job: string, workers?: readonly number[]): void;
  /** Starts a proof: old counters and lists are read again. */
  beginProof(): void;
  /** Returns whether another check may prove more, because host counters still grow. */
  mayGrow(): boolean;
  /** Returns whether requests go through GitLab's job router, which counts no answers. */
  isRouted(): boolean;
}

/** Checks of the other shard while one shard is paused for its drain. */
export interface ServiceKeeper {
  /**
   * Reopens the drained shard if the other shard no longer accepts jobs.
   * @throws DeployError `ServiceLost` in that case, unless the deployment rolls back automatically
   */
  check(): Promise<Rollback | undefined>;
  /** Returns the milliseconds until the next `look`; infinite without a shard to protect. */
  dueInMs(): number;
  /** Restarts the timer: another check has verified the shard. */
  resetUnprovenTimer(): void;
}

/** Observations of a promoted shard in one process, kept from lock to lock and never written. */
export interface BakeEvaluator {
  /**
   * Checks the shard if a check is due, and returns the verdict on all observations. With `now`,
   * the caller holds the lock: it always checks, and may run the canary, which needs the lock.
   */
  check(using: StageContext, when?: 'due' | 'now'): Promise<BakeVerdict>;
  /** Returns the milliseconds until the next check is due. */
  dueInMs(): number;
  /** Returns whether the bake period has passed under observation. */
  isWatched(): boolean;
  /** Returns whether the bake ends with the present observations. */
  isOver(): boolean;
  /** Corrects the time since the promotion by a third clock, if one is available. */
  agreeOn(sincePromotedMs: number | undefined): void;
  /** Records that no rollback target exists. A bad verdict has no effect for a while. */
  losesWay(): void;
  hasWay(): boolean;
}

export interface BakeMemory {
  readonly deployment: DeploymentId;
  judge: BakeEvaluator | undefined;
  keeper: ServiceKeeper | undefined;
  /** Monotonic time. */
  proofRequestedAt: number | undefined;
}

export type RunMemory = ReturnType<typeof createRunMemory>;

/** Creates the state of one run, kept from one lock to the next and never written. */
export function createRunMemory() {
  return {
    /** Keys of the texts that are reported once: see `isNews`. */
    reported: new Set<string>(),
    /** The run has begun the deployment or already works on it, so it reports no resumption. */
    hasBegun: false,
    /**
     * The candidate was found unhealthy and nothing has changed since. An apply without changes
     * gets a brief check.
     */
    isRecheck: false,
    /** Phase that this lock's steps have resumed. An earlier run's effect may still arrive. */
    resumedIn: undefined as Phase | undefined,
    /** Availability checks by the steps under this lock. */
    watches: new Map<Shard, ServiceWatch>(),
    /** Results in the error that ends this run; the `now:` line must agree with them. */
    serviceForNowLine: new Map<Shard, Service>(),
    drainChecks: new Map<Shard, readonly DrainObservation[]>(),
    /** Runners that this run has removed and then found absent. GitLab never reuses an id. */
    removed: new Set<RegistrationId>(),
    /** Shards that a rollback of this run has reopened. */
    returned: new Set<Shard>(),
    bake: undefined as BakeMemory | undefined,
    /** Monotonic time right after the lock was written. */
    lockedAt: undefined as number | undefined,
    /** Monotonic time at which the lock was released for a bake. */
    letGoAt: undefined as number | undefined,
    /** The run polled a bake without the lock. A hold set meanwhile does not end the polling. */
    hasWatched: false,
  };
}
