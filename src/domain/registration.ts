import type { RegistrationId } from './shard.ts';

/**
 * Whether the registry reports running jobs. `unknown`: this version reports nothing, or a new
 * value.
 */
export type Execution = 'active' | 'idle' | 'unknown';

/** Runner as the registry reports it, in the terms of hosted-runner. */
export interface Registration {
  readonly id: RegistrationId;
  readonly description: string;
  /**
   * GitLab's `maintenance_note`, with `registrationMark`, and `withPauseMark` during a pause of
   * hosted-runner.
   */
  readonly note: string;
  /** Paused, and not unpaused since. */
  readonly paused: boolean;
  /** Set if workers that registered after the pause still accept jobs. */
  readonly unclosed?: true;
  readonly tags: readonly string[];
  readonly runUntagged: boolean;
  /** Whether GitLab reports any contact of a manager. */
  readonly contacted: boolean;
  /**
   * Covers jobs that the token cannot see, but no assigned jobs, and from 18.9 on no canceling
   * ones.
   */
  readonly execution: Execution;
  readonly url?: string;
}

/** Returns whether the runner and all its workers accept no new job. */
export function takesNoNewJob({ paused, unclosed }: Registration): boolean {
  return paused && unclosed !== true;
}

/** Completeness of the registry's job list for the current token. */
export interface JobSight {
  /** `whole`: the list is proven to contain every job. */
  readonly list: 'whole' | 'unproven';
  /** The proof, or the jobs that may be missing. */
  readonly reason: string;
  /** Whether any job runs, including one that the token cannot list. */
  readonly execution: Execution;
  /** Longest time for which a canceling job may continue unlisted. */
  readonly hiddenMs: number;
}

export interface Worker {
  /** Increases in GitLab: a higher id is a later manager. */
  readonly id: number;
  readonly systemId: string;
  readonly version: string;
  /** ISO 8601, the registry's clock. */
  readonly contactedAt?: string;
  readonly createdAt: string;
  readonly execution: Execution;
  /** Whether the worker deregisters after one job. */
  readonly ephemeral?: boolean;
  /** Machine of the worker, if its name contains the machine's id. */
  readonly hostId?: string;
}

export interface RegistryJob {
  readonly id: string;
  readonly name: string;
  readonly status: 'assigned' | 'running' | 'canceling';
  readonly project: string;
  readonly startedAt?: string;
  /** Time in the queue, as the registry reports it. */
  readonly queuedMs?: number;
  readonly url: string;
}

/** Job that waits for a runner and is assigned to none. */
export interface WaitingJob {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly tags: readonly string[];
}

/** Waiting jobs of some projects, as far as they can be read. */
export interface WaitingJobs {
  readonly jobs: readonly WaitingJob[];
  /** Projects that could not be read, with the reason. */
  readonly unread: readonly { readonly project: string; readonly detail: string }[];
  /**
   * Projects that do not exist or that the token cannot see: the registry does not distinguish
   * them.
   */
  readonly missing: readonly string[];
}

/** Job that started on a worker, with any result. */
export interface BegunJob {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  /** Reason of a failure, as in `FinishedJob`. */
  readonly failureReason?: string;
}

/** Finished job. Canceled jobs prove nothing and are not listed. */
export interface FinishedJob {
  readonly id: string;
  readonly name: string;
  readonly status: 'success' | 'failed';
  /** GitLab's value, such as `script_failure` or `runner_system_failure`. */
  readonly failureReason?: string;
  /** Full path of the project. */
  readonly project?: string;
  readonly projectId?: string;
  readonly startedAt?: string;
  readonly queuedMs?: number;
  readonly durationMs?: number;
  readonly url: string;
}

/** Jobs of a runner, newest first. */
export interface NewestJobs {
  readonly jobs: readonly RegistryJob[];
  readonly finished: readonly FinishedJob[];
  /**
   * Whether the lists are complete: an absent job then does not exist. Otherwise only listed jobs
   * count.
   */
  readonly isWhole: boolean;
}
