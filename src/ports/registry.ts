import type { JobHistory } from '../domain/health/job-history.ts';
import type { TokenExpiry } from '../domain/health/token-expiry.ts';
import type { VersionExpiry } from '../domain/health/version-expiry.ts';
import type {
  BegunJob,
  FinishedJob,
  JobSight,
  NewestJobs,
  Registration,
  RegistryJob,
  WaitingJobs,
  Worker,
} from '../domain/registration.ts';
import type { RegistryTerms } from '../domain/registry-terms.ts';
import type { RegistrationSettings } from '../domain/settings.ts';
import type { RegistrationId, StackShard } from '../domain/shard.ts';
import type { CommandToType } from '../domain/text/line-to-type.ts';
import type { Effects } from './effect.ts';

/**
 * Registry of runners: GitLab (one runner per shard) or GitHub (one per worker). Every method may
 * reject with a PortFailure.
 */
export interface RunnerRegistry {
  readonly traits: RegistryTraits;
  /** Lists all runners whose description is exactly the shard's: completely, or it rejects. */
  findByShard(shard: StackShard, except?: RegistrationId): Promise<readonly Registration[]>;
  /**
   * Reads a runner. `absent` only if the registry returns 404 to a token that may read runners.
   * With `age`, a response up to that old suffices, and it never reports `idle`. Without `age`, the
   * runner is read now.
   */
  find(id: RegistrationId, age?: ReadAge): Promise<Found<Registration>>;
  /** Creates a runner in quarantine: its tags are `tags`, and it takes no untagged job. */
  create(request: NewRegistration): Promise<{ id: RegistrationId } & NewToken>;
  /** Replaces the whole tag list. */
  route(id: RegistrationId, routing: Routing): Promise<void>;
  /** Pauses (`closed`) or unpauses (`open`) the runner with all its managers. */
  setIntake(id: RegistrationId, intake: 'open' | 'closed'): Promise<void>;
  /** Lists managers (GitLab) or runners (GitHub) of a shard. */
  listWorkers(id: RegistrationId): Promise<Found<readonly Worker[]>>;
  /** Lists assigned, running and canceling jobs that the token can see. */
  listJobs(id: RegistrationId): Promise<Found<readonly RegistryJob[]>>;
  /** Reads how much an empty job list proves. */
  readSight(id: RegistrationId): Promise<JobSight>;
  /**
   * Lists the newest finished jobs of the runner that the token can see, newest first. The list is
   * complete down to its oldest job.
   */
  listFinishedJobs(id: RegistrationId): Promise<Found<readonly FinishedJob[]>>;
  /** Lists the newest jobs of the runner that the token can see, in one response. */
  listNewestJobs(id: RegistrationId): Promise<Found<NewestJobs>>;
  /**
   * Lists the newest jobs that started on one worker, newest first, as far as the token can see
   * them. If this version of the registry does not distinguish workers, it lists the jobs of all of
   * them.
   */
  listBegunJobs(id: RegistrationId, systemId: string): Promise<Found<readonly BegunJob[]>>;
  /**
   * Reads the finished jobs of the runner, back to its first job or as far as they are listed to
   * the token. The first call of a process is expensive; later calls cost as much as the newest
   * jobs.
   */
  readJobHistory(id: RegistrationId): Promise<Found<JobHistory>>;
  /** Lists all jobs of these projects that wait for any runner. */
  listWaitingJobs(projects: readonly string[]): Promise<WaitingJobs>;
  /**
   * Removes the runner with its workers. If each worker has its own runner, it removes the shard's
   * stored data, and returns `busy` while a worker is listed. The caller must check the shard
   * first: GitLab deletes even a busy runner.
   */
  retire(id: RegistrationId): Promise<'retired' | 'busy' | 'absent'>;
  /**
   * Attempts once to remove each of these workers. No response shows that a worker was idle: GitHub
   * removes the runner of a running job, which is then cancelled. Only workers with a proven end of
   * their process may be passed. The result is empty for a registry with one runner per shard.
   */
  retireWorkers(id: RegistrationId, workers: readonly number[]): Promise<readonly WorkerRemoval[]>;
  /** Creates a new token; the registry refuses the old one from now on. */
  resetToken(id: RegistrationId): Promise<NewToken>;
  /**
   * Assigns `to` to the projects of `from`, if the scope is a project. Then locks it to them if
   * `locked` is set.
   */
  copyAssignments(assignment: {
    readonly from?: RegistrationId;
    readonly to: RegistrationId;
    readonly locked: boolean;
  }): Promise<CopiedAssignments>;
  /** Reads the expiry of the runner's current token. */
  readTokenEnding(id: RegistrationId): Promise<TokenExpiry>;
  /**
   * Reads when the registry stops accepting this version of the program; `none` if it sets no end.
   */
  readEnding(version: string): Promise<VersionExpiry>;
  /** Reads whether writes are accepted now, by a write that changes nothing. */
  probeWrites(id: RegistrationId): Promise<WriteRefusal>;
  /**
   * Returns the limit that another runner would exceed. Undefined if another runner is permitted,
   * or if runners cannot be counted.
   */
  findReachedLimit(): Promise<ReachedLimit | undefined>;
  /** Returns when the registry last refused a write of this process because it was read-only. */
  lastRefusal(): RefusedWrite | undefined;
  /**
   * Checks the permissions of the credentials for `prepare`. Names each missing scope or role, and
   * everything that would prevent the removal of these runners.
   */
  probe(
    scope: RegistrationSettings['scope'],
    registrations?: readonly RegistrationId[],
  ): Promise<readonly ProbeResult[]>;
}

export const registryEffects = {
  findByShard: 'reads',
  find: 'reads',
  create: 'writes',
  route: 'writes',
  setIntake: 'writes',
  listWorkers: 'reads',
  listJobs: 'reads',
  listFinishedJobs: 'reads',
  listNewestJobs: 'reads',
  listBegunJobs: 'reads',
  readJobHistory: 'reads',
  listWaitingJobs: 'reads',
  retire: 'irreversible',
  retireWorkers: 'irreversible',
  resetToken: 'irreversible',
  copyAssignments: 'writes',
  readSight: 'reads',
  // Its request changes nothing.
  probeWrites: 'reads',
  readTokenEnding: 'reads',
  readEnding: 'reads',
  findReachedLimit: 'reads',
  lastRefusal: 'remembers',
  probe: 'reads',
} as const satisfies Effects<RunnerRegistry>;

export interface RegistryTraits {
  readonly registrationsPer: 'shard' | 'worker';
  /** `expiring`: valid for an hour, so a host that boots later needs a new one. */
  readonly tokens: 'reusable' | 'expiring';
  /**
   * Whether the registry's report of no job counts without a host's report. GitHub's `busy` lags by
   * a minute, and turns false in the middle of long jobs.
   */
  readonly idleSource: 'counts' | 'proves_nothing';
  /** Whether `contacted` describes this moment, through an open connection. False for GitLab. */
  readonly contactIsLive: boolean;
  /** Terms of this registry in texts for operators. */
  readonly words: RegistryTerms;
}

export interface NewToken {
  readonly token: string;
  /** ISO 8601, if the registry lets it expire. */
  readonly expiresAt?: string;
}

/**
 * Result of a write check; `unknown` unless writes are proven to be refused. `detail` is verbatim.
 */
export type WriteRefusal =
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unknown' };

export interface RefusedWrite {
  /** The registry's message, verbatim. */
  readonly detail: string;
  readonly agoMs: number;
}

/** Group or project that has reached its limit of runners. */
export interface ReachedLimit {
  readonly place: 'group' | 'project';
  readonly most: number;
  readonly count: number;
  /** False if the limit or the count is assumed: it then blocks nothing. */
  readonly isCertain: boolean;
}

/** Result for one worker. `absent`: it was in the list, but no longer exists. */
export interface WorkerRemoval {
  readonly worker: Worker;
  readonly outcome: 'removed' | 'busy' | 'absent' | 'unknown';
  /** Reason of `unknown`. */
  readonly detail?: string;
}

/** Maximum age of a response that may have been read for another stack. */
export interface ReadAge {
  readonly mostMs: number;
}

export type Found<T> = { readonly kind: 'found'; readonly value: T } | { readonly kind: 'absent' };

export type {
  BegunJob,
  FinishedJob,
  JobHistory,
  JobSight,
  NewestJobs,
  Registration,
  RegistryJob,
  TokenExpiry,
  VersionExpiry,
  WaitingJobs,
  Worker,
};

export interface Routing {
  readonly tags: readonly string[];
  readonly runUntagged: boolean;
}

export interface NewRegistration {
  readonly shard: StackShard;
  readonly settings: RegistrationSettings;
  readonly tags: readonly string[];
  readonly note: string;
}

export interface CopiedAssignments {
  readonly added: number;
  /** Number of projects that the token cannot see, and that `to` therefore lacks. */
  readonly hidden: number | 'unknown';
}

export interface ProbeResult {
  readonly what: string;
  /** `warned` and `noted` never refuse a deployment: `detail` is then a whole sentence. */
  readonly outcome: 'granted' | 'missing' | 'not_probed' | 'warned' | 'noted';
  readonly detail: string;
  /** Command that corrects what `detail` reports. */
  readonly fix?: CommandToType;
}
