import type { CanaryJob } from '../domain/health/canary-job.ts';
import type { DeploymentId } from '../domain/shard.ts';
import type { Effects } from './effect.ts';

/** The canary's job, wherever it lives: in our own pipeline, or in a canary project. */
export interface CanaryJobs {
  /** The tag that only this deployment's canary asks for. */
  readonly tag: string;
  /** The newest canary job of this deployment, if there is one. */
  findNewest(): Promise<CanaryJob | undefined>;
  find(id: string): Promise<CanaryJob | undefined>;
  /** Starts a new job (retry of the visible job, or a new pipeline); its id is higher than any before. */
  start(): Promise<CanaryJob>;
  /** Cancels what is alive of these canaries; how many were. */
  cancel(which?: CancelledCanaries): Promise<number>;
  /**
   * Every job, alive or ended, that is a canary of this deployment, or of one that was given up. By
   * this a job on a candidate is known as ours: a name or a tag may be anybody's.
   */
  listIds(givenUp?: DeploymentId): Promise<readonly string[]>;
  /** What a person presses where the token may not start the job itself. */
  readonly byHand: string;
  /** Why no canary can be started from this run. */
  readonly refusal?: string;
}

export interface CancelledCanaries {
  /** Another deployment's than this run's. */
  readonly of?: DeploymentId | undefined;
  /**
   * Their machine was ended, so that nobody is left to end a job that is being cancelled: it is ended by
   * the registry, as far as that knows how.
   */
  readonly machineIsGone?: boolean;
}

export const canaryEffects = {
  findNewest: 'reads',
  find: 'reads',
  start: 'writes',
  cancel: 'writes',
  listIds: 'reads',
} as const satisfies Effects<CanaryJobs>;

export type { CanaryJob };
