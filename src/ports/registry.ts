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
import type { Effects } from './effect.ts';

/**
 * Where runners are registered. Neutral, so that GitLab (one registration for a shard) and GitHub
 * (one for each worker) fit behind it. Every method may reject with a PortFailure.
 */
export interface RunnerRegistry {
  readonly traits: RegistryTraits;
  /** All registrations whose description is exactly the shard's; complete, or it rejects. */
  findByShard(shard: StackShard, except?: RegistrationId): Promise<readonly Registration[]>;
  /**
   * `absent` only if the registry says 404 for a token that may read registrations. With an `age`, a response
   * that the registry was asked for so long ago will do; it never reports `idle`. Without one, it is read now.
   */
  find(id: RegistrationId, age?: ReadAge): Promise<Found<Registration>>;
  /** Creates a registration in quarantine: its tags are `tags`, it takes no untagged job. */
  create(request: NewRegistration): Promise<{ id: RegistrationId } & NewToken>;
  /** Replaces the whole tag list. */
  route(id: RegistrationId, routing: Routing): Promise<void>;
  /** Pauses (`closed`) or un-pauses (`open`) the registration with all its managers. */
  setIntake(id: RegistrationId, intake: 'open' | 'closed'): Promise<void>;
  /** Managers (GitLab) or runners (GitHub) behind the registration. */
  listWorkers(id: RegistrationId): Promise<Found<readonly Worker[]>>;
  /** Jobs that are assigned, running or canceling, as far as the token can see them. */
  listJobs(id: RegistrationId): Promise<Found<readonly RegistryJob[]>>;
  /** How far the list of jobs can be believed when it is empty. */
  readSight(id: RegistrationId): Promise<JobSight>;
  /**
   * The newest finished jobs of the registration, newest first, as far as the token can see them; of
   * those that are younger than the oldest of them, none is left out.
   */
  listFinishedJobs(id: RegistrationId): Promise<Found<readonly FinishedJob[]>>;
  /** The newest jobs of the registration in one response, as far as the token can see them. */
  listNewestJobs(id: RegistrationId): Promise<Found<NewestJobs>>;
  /**
   * The newest jobs that began on this one of its workers, newest first, as far as the token can see them;
   * on any of them where this version of the registry does not tell them apart.
   */
  listBegunJobs(id: RegistrationId, systemId: string): Promise<Found<readonly BegunJob[]>>;
  /**
   * What has ended on the registration, back to its first job or for as long as can be listed, as far as
   * the token can see it. Dear at the first call of a process, and as dear as the newest jobs after it.
   */
  readJobHistory(id: RegistrationId): Promise<Found<JobHistory>>;
  /** All jobs of these projects that wait for a runner, whichever may take them. */
  listWaitingJobs(projects: readonly string[]): Promise<WaitingJobs>;
  /**
   * Removes the registration with its workers; where each worker is registered by itself, what is
   * written of them all, and `busy` as long as one is listed. The guard is the caller's: GitLab deletes
   * a busy one.
   */
  retire(id: RegistrationId): Promise<'retired' | 'busy' | 'absent'>;
  /**
   * One try to remove each of these workers; the others stay. Nothing that is answered says whether one
   * was idle: GitHub removes a runner under its job, and the job is cancelled then. So only for workers
   * whose process is proven to have ended. Where workers are not registered by themselves, the answer
   * is empty.
   */
  retireWorkers(id: RegistrationId, workers: readonly number[]): Promise<readonly WorkerRemoval[]>;
  /** A new token; the old one is refused from now on. */
  resetToken(id: RegistrationId): Promise<NewToken>;
  /**
   * Where the scope is a project: gives `to` the projects that `from` is assigned to, and locks it
   * to them afterwards if it is to be `locked`.
   */
  copyAssignments(assignment: {
    readonly from?: RegistrationId;
    readonly to: RegistrationId;
    readonly locked: boolean;
  }): Promise<CopiedAssignments>;
  /** Until when the registry takes the token that this registration has now. */
  readTokenEnding(id: RegistrationId): Promise<TokenExpiry>;
  /** Until when the registry takes a program of this version; `none` where it names no end. */
  readEnding(version: string): Promise<VersionExpiry>;
  /** Whether writes are taken now, learnt from one that changes nothing. */
  probeWrites(id: RegistrationId): Promise<WriteRefusal>;
  /** The limit that one runner more would exceed; undefined if there is room, or the runners cannot be counted. */
  findReachedLimit(): Promise<ReachedLimit | undefined>;
  /** When a write of this process was last refused because nobody may write. */
  lastRefusal(): RefusedWrite | undefined;
  /**
   * What the credentials may do, for `prepare`; names each missing scope or role, and whatever would
   * refuse the removal of these registrations.
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
  // It asks for what changes nothing.
  probeWrites: 'reads',
  readTokenEnding: 'reads',
  readEnding: 'reads',
  findReachedLimit: 'reads',
  lastRefusal: 'remembers',
  probe: 'reads',
} as const satisfies Effects<RunnerRegistry>;

export interface RegistryTraits {
  readonly registrationsPer: 'shard' | 'worker';
  /** `expiring`: good for an hour, so that a host that boots later needs a new one. */
  readonly tokens: 'reusable' | 'expiring';
  /**
   * Whether the registry's own word that no job runs counts where no host speaks. GitHub's `busy` lags
   * by a minute, and flips to false in the middle of long jobs.
   */
  readonly idleSource: 'counts' | 'proves_nothing';
  /** Whether `contacted` is of this very moment, by a connection that is held. GitLab: no. */
  readonly contactIsLive: boolean;
  /** For every text of ours that a person reads of this registry. */
  readonly words: RegistryTerms;
}

export interface NewToken {
  readonly token: string;
  /** ISO 8601, where the registry ends it by itself. */
  readonly expiresAt?: string;
}

/** `unknown` wherever nothing says that they are refused. `detail`: the registry's own words. */
export type WriteRefusal =
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unknown' };

export interface RefusedWrite {
  /** The registry's own words. */
  readonly detail: string;
  readonly agoMs: number;
}

/** A group or project that has as many runners as it may have. */
export interface ReachedLimit {
  readonly place: 'group' | 'project';
  readonly most: number;
  readonly count: number;
  /** False if the limit or the count is assumed: then it stops nothing. */
  readonly isCertain: boolean;
}

/** What became of one worker. `absent`: it was there when the list was read. */
export interface WorkerRemoval {
  readonly worker: Worker;
  readonly outcome: 'removed' | 'busy' | 'absent' | 'unknown';
  /** Why it is not known. */
  readonly detail?: string;
}

/** How old a response may be, which was perhaps read for another stack. */
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
  /** How many projects of `from` the token cannot see, so that `to` was not given them. */
  readonly hidden: number | 'unknown';
}

export interface ProbeResult {
  readonly what: string;
  readonly outcome: 'granted' | 'missing' | 'not_probed';
  readonly detail: string;
}
