import type { ReachedLimit } from '../../../src/ports/registry.ts';
import type { GitLabVersion } from '../world/gitlab-version.ts';

/** How the world answers; changed by tests and by faults. */
export interface Behaviour {
  /** How GitLab answers; the newest if absent. */
  gitlab?: GitLabVersion;
  /** `refused`: a proxy or a token lets nobody ask it. */
  graphQl?: 'refused';
  /** GitHub's runners, each with a registration of its own; GitLab's if absent. */
  runners?: 'github_persistent' | 'github_ephemeral';
  /** GitHub: from when on a version is given no job. */
  versionEnds?: Readonly<Record<string, number>>;
  /** GitLab: how long a runner's token is taken; for ever if absent. */
  tokenLifeMs?: number;
  /** When the AWS credentials of this run end, once they cannot be renewed. */
  credentialsEndAt?: number;
  tokensEnd?: boolean; // A token for registering, after an hour.
  /** How long GitHub holds a silent runner for busy; ten minutes if absent. */
  silentRunnerMs?: number;
  bootMs: number;
  contactMs: number;
  /** The runners' `check_interval`. */
  pollMs: number;
  ackMs: number;
  concurrent: number;
  /** A request that was inside GitLab when the pause committed may still be given a job. */
  lateAssignmentMs: number;
  canaryDurationMs: number;
  /** Secrets of the deployment that its script finds and ends by. */
  canaryHas?: readonly string[];
  /** How the next hosts of a shard (by its description) turn out; then `ok`. */
  boots: Record<string, BootBehaviour[]>;
  runnerVersion: string;
  /** The configuration's own revision: a plan is empty if a shard was built at it. */
  revision: number;
  plans: 'known' | 'unknown';
  existence: 'known' | 'unknown';
  /** Steps (1 to 3) at which the next applies fail, one number an apply; 0 lets one pass. */
  applyFailures: number[];
  destroyFailures: number[];
  /** Why each of the next plans cannot be made. */
  planFailures?: string[];
  /** Resources of the next shard that is built which are there and in no state. */
  taken: string[];
  stepMs: number;
  /** For so long after a write, reads show the value before it. */
  staleForMs: number;
  /** So many of the next reads of something written lately show the value before it. */
  staleReads: number;
  /** How old a write is at which every read shows it. */
  settledMs: number;
  nameFreeAfterMs: number;
  pipelines: 'known' | 'unknown';
  canaryStart: 'allowed' | 'denied';
  /** Why this run can start no canary, as at a terminal. */
  canaryRefusal?: string;
  /** What `probe` finds missing. */
  missingGrants: string[];
  /** What the registry reports of the limit of runners; undefined while there is room. */
  reachedLimit?: ReachedLimit;
  /** What the infrastructure's tools lack, one line each; nothing if absent. */
  infrastructureLacks?: string[];
  /** Maintenance mode, in GitLab's own words: nobody may write. */
  readOnly?: string;
  /** Whether the token sees the jobs of customers' projects. */
  jobsVisible: boolean;
  killAllowed: boolean;
}

export type BootBehaviour =
  | 'ok'
  | 'never_contacts'
  | 'fails_jobs'
  | 'never_takes_jobs'
  /** Asks for jobs and is answered, and GitLab gives it none. */
  | 'given_no_jobs'
  | 'broken_workload'
  /** The instance ends by itself some time after its manager contacted. */
  | 'dies'
  /** The SSM agent never answers; the runner works. */
  | 'agent_lost';
