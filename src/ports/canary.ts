import type { CanaryJob } from '../domain/health/canary-job.ts';
import type { DeploymentId } from '../domain/shard.ts';
import type { Effects } from './effect.ts';

/** Canary jobs, in the pipeline of this deployment or in a canary project. */
export interface CanaryJobs {
  /** Tag that only this deployment's canary requires. */
  readonly tag: string;
  /** Returns the newest canary job of this deployment, if one exists. */
  findNewest(): Promise<CanaryJob | undefined>;
  find(id: string): Promise<CanaryJob | undefined>;
  /**
   * Starts a new job (retry of the visible job, or a new pipeline), with a higher id than any
   * before.
   */
  start(): Promise<CanaryJob>;
  /** Cancels unfinished canaries and returns their number. */
  cancel(which?: CancelledCanaries): Promise<number>;
  /**
   * Lists all canary jobs, finished or not, of this deployment or of an abandoned one. Only this
   * identifies a job on a candidate as a canary: a customer's job may have an equal name or tag.
   */
  listIds(givenUp?: DeploymentId): Promise<readonly string[]>;
  /** Action for an operator if the token may not start the job. */
  readonly byHand: string;
  /** Reason why this run cannot start a canary. */
  readonly refusal?: string;
}

export interface CancelledCanaries {
  /** Deployment other than this run's. */
  readonly of?: DeploymentId | undefined;
  /**
   * Set if their machine was terminated: no runner can then finish the cancellation. The registry
   * ends the job, as far as it supports that.
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
