import type { BakeVerdict } from '../../domain/bake/judge-bake.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { DeploymentId, Shard } from '../../domain/shard.ts';
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
  lookedAt(): Timestamps | undefined;
  /** Whether its hosts' counts were seen before, so that one more look may prove something. */
  hasLooked(): boolean;
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
  sawProven(): void;
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
  /** Says a thing once, told from others by its key: a number in its words is no news. */
  once(key: string, say: (key: string) => void): void;
}

export interface Baking {
  /** Whose they are. */
  deployment?: DeploymentId;
  judge?: BakeJudge;
  keeper?: ServiceKeeper;
  /** By our clock that never jumps. */
  askedForProofAt?: number;
  letGoAt?: number;
  /** Right after the lock was written. */
  lockedAt?: number;
  /** Whether anything was watched without the lock: a hold that comes by then ends no watch. */
  hasWatched?: boolean;
}
