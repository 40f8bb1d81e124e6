import type { ReachedLimit } from '../../../src/ports/registry.ts';
import type { GitLabVersion } from '../world/gitlab-version.ts';

/** Behaviour of the world, which tests and faults change. */
export interface Behaviour {
  /** GitLab's version; the newest if absent. */
  gitlab?: GitLabVersion;
  /** `refused`: a proxy or the token's permissions refuse GraphQL queries. */
  graphQl?: 'refused';
  /** GitHub's runners: each worker registers its own. GitLab's runners if absent. */
  runners?: 'github_persistent' | 'github_ephemeral';
  /** GitHub: times from which on a version gets no job. */
  versionEnds?: Readonly<Record<string, number>>;
  /** GitLab: lifetime of a runner's token; unlimited if absent. */
  tokenLifeMs?: number;
  /** Time at which the run's AWS credentials expire without a renewal. */
  credentialsEndAt?: number;
  tokensEnd?: boolean; // Registration tokens expire after an hour.
  /** Time for which GitHub keeps an unresponsive runner busy; ten minutes if absent. */
  unresponsiveRunnerMs?: number;
  bootMs: number;
  contactMs: number;
  /** Value of the runners' `check_interval`. */
  pollMs: number;
  ackMs: number;
  concurrent: number;
  /**
   * Time for which GitLab may still assign a job after a pause, to a request that was in progress.
   */
  lateAssignmentMs: number;
  canaryDurationMs: number;
  /** Secrets of the deployment that the canary's script finds, which makes it fail. */
  canaryHas?: readonly string[];
  /** Boot behaviour of a shard's next hosts, by its description. Later hosts get `ok`. */
  boots: Record<string, BootBehaviour[]>;
  runnerVersion: string;
  /** Revision of the configuration: a plan is empty if the shard was built with this revision. */
  revision: number;
  plans: 'known' | 'unknown';
  existence: 'known' | 'unknown';
  /** Steps (1 to 3) at which the next applies fail, one number per apply. 0 means success. */
  applyFailures: number[];
  destroyFailures: number[];
  /** Failures of the next plans. */
  planFailures?: string[];
  /** Resources of the next shard that exist without being in a state. */
  taken: string[];
  stepMs: number;
  /** Time after a write in which reads show the previous value. */
  staleForMs: number;
  /** Number of reads of a recent write that still return the previous value. */
  staleReads: number;
  /** Age of a write from which on every read shows it. */
  settledMs: number;
  nameFreeAfterMs: number;
  pipelines: 'known' | 'unknown';
  canaryStart: 'allowed' | 'denied';
  /** Reason why this run cannot start a canary, as at a terminal. */
  canaryRefusal?: string;
  /** Permissions that `probe` reports as missing. */
  missingGrants: string[];
  /** Runner limit that the registry reports; undefined below the limit. */
  reachedLimit?: ReachedLimit;
  /** Missing requirements of the infrastructure tools, one line each; none if absent. */
  infrastructureLacks?: string[];
  /** GitLab's text of its maintenance mode, which refuses all writes. */
  readOnly?: string;
  /** Whether the token can see the jobs of customer projects. */
  jobsVisible: boolean;
  killAllowed: boolean;
}

export type BootBehaviour =
  | 'ok'
  | 'never_contacts'
  | 'fails_jobs'
  | 'never_takes_jobs'
  /** Requests jobs and receives responses, but GitLab assigns no job. */
  | 'given_no_jobs'
  | 'broken_workload'
  /** The instance ends by itself some time after its manager's contact. */
  | 'dies'
  /** The SSM agent never answers; the runner works. */
  | 'agent_lost';
