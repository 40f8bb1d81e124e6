import type { RegistrationId } from './shard.ts';

/** Whether a registry says that jobs run there. `unknown`: this version does not say, or in a new word. */
export type Execution = 'active' | 'idle' | 'unknown';

/** What the registry says of a runner record, a manager and a job, in our words. */
export interface Registration {
  readonly id: RegistrationId;
  readonly description: string;
  /** GitLab's `maintenance_note`; ours carries `registrationMark`, and `withPauseMark` while hosted-runner pauses it. */
  readonly note: string;
  /** Closed, and by nobody opened since. */
  readonly paused: boolean;
  /** Workers of its own hosts that have registered since it was paused still take jobs. */
  readonly unclosed?: true;
  readonly tags: readonly string[];
  readonly runUntagged: boolean;
  /** Whether a manager ever contacted, as GitLab says. */
  readonly contacted: boolean;
  /** Not permission-filtered, but blind to jobs that are only assigned, and since 18.9 to canceling ones. */
  readonly execution: Execution;
  readonly url?: string;
}

/** Whether nothing of it takes a new job. */
export function takesNoNewJob({ paused, unclosed }: Registration): boolean {
  return paused && unclosed !== true;
}

/** How far the registry's word on jobs goes for the token that we have. */
export interface JobSight {
  /** `whole`: the list of jobs is proven to hold every job. */
  readonly list: 'whole' | 'unproven';
  /** What proves it, or what may be missing. */
  readonly reason: string;
  /** Whether any job runs, also one that the token may not list. */
  readonly execution: Execution;
  /** How long a job that is being canceled, and is not listed, may go on at the most. */
  readonly hiddenMs: number;
}

export interface Worker {
  /** Counts up in GitLab: a higher id is a later manager. */
  readonly id: number;
  readonly systemId: string;
  readonly version: string;
  /** ISO 8601, the registry's clock. */
  readonly contactedAt?: string;
  readonly createdAt: string;
  readonly execution: Execution;
  /** Whether it leaves by itself after one job. */
  readonly ephemeral?: boolean;
  /** The machine that it runs on, where its name says so. */
  readonly hostId?: string;
}

export interface RegistryJob {
  readonly id: string;
  readonly name: string;
  readonly status: 'assigned' | 'running' | 'canceling';
  readonly project: string;
  readonly startedAt?: string;
  /** How long it waited for a runner, by the registry. */
  readonly queuedMs?: number;
  readonly url: string;
}

/** A job that waits for a runner, and was given to none. */
export interface WaitingJob {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly tags: readonly string[];
}

/** What waits in some projects, as far as they can be read. */
export interface WaitingJobs {
  readonly jobs: readonly WaitingJob[];
  /** Projects of which nothing can be said, and why. */
  readonly unread: readonly { readonly project: string; readonly detail: string }[];
  /** Projects that are gone, or that the token may not see any more: which of the two is not told. */
  readonly missing: readonly string[];
}

/** A job that began on a worker, whatever became of it. */
export interface BegunJob {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  /** Of one that has failed, as in `FinishedJob`. */
  readonly failureReason?: string;
}

/** A job that has ended. Canceled ones prove nothing and are not listed. */
export interface FinishedJob {
  readonly id: string;
  readonly name: string;
  readonly status: 'success' | 'failed';
  /** GitLab's own word, e.g. `script_failure`, `runner_system_failure`. */
  readonly failureReason?: string;
  /** Its full path. */
  readonly project?: string;
  readonly projectId?: string;
  readonly startedAt?: string;
  readonly queuedMs?: number;
  readonly durationMs?: number;
  readonly url: string;
}

/** Newest first. */
export interface NewestJobs {
  readonly jobs: readonly RegistryJob[];
  readonly finished: readonly FinishedJob[];
  /** It has no other job: an absent one does not exist. Otherwise only a listed job proves anything. */
  readonly isWhole: boolean;
}
