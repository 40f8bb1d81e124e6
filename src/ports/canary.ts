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
  /**
   * Cancels what is alive of this deployment's canaries, or of another one's; how many were. Where the
   * machine is gone nobody is left to end a job that is being cancelled: it is ended by the registry, as
   * far as that knows how.
   */
  cancel(of?: DeploymentId, how?: { readonly machineIsGone: boolean }): Promise<number>;
  /**
   * Every job, alive or ended, that is a canary of this deployment, or of one that was given up. By
   * this a job on a candidate is known as ours: a name or a tag may be anybody's.
   */
  listIds(givenUp?: DeploymentId): Promise<readonly string[]>;
  /** What a person presses where the token may not start the job itself. */
  readonly byHand: string;
}

export const canaryEffects = {
  findNewest: 'reads',
  find: 'reads',
  start: 'writes',
  cancel: 'writes',
  listIds: 'reads',
} as const satisfies Effects<CanaryJobs>;

export type { CanaryJob };
