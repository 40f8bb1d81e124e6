import type { Hono } from 'hono';
import type { Faults } from '../../faults.ts';
import type { SandboxClock } from '../../surroundings/clock.ts';
import type { SandboxRandom } from '../../surroundings/random.ts';
import type { SandboxStore } from '../../surroundings/store.ts';
import type { Job, JobStatus } from '../state.ts';
import type { RateLimitsOf } from './rate-limits.ts';
import type { Traffic } from './traffic.ts';
import type { GitLabVersion } from './versions.ts';

export type AccessLevelName =
  | 'none'
  | 'guest'
  | 'reporter'
  | 'developer'
  | 'maintainer'
  | 'owner'
  | 'admin';

export interface GitLabOptions {
  clock: SandboxClock;
  store: SandboxStore;
  faults: Faults;
  random: SandboxRandom;
  /**
   * Returns the address without a final slash. It is called at each use, because the port is known
   * late.
   */
  baseUrl(): string;
  /** Published limits to enforce. Absent: none, like a self-managed instance by default. */
  rateLimits?: RateLimitsOf | undefined;
  /** Default: the newest version. */
  version?: GitLabVersion | undefined;
  /** Time for which a job request is held without a job. 0: no hold. */
  longPollMs?: number | undefined;
}

/** Id or full path, such as `201` or `acme/app`. */
export type ProjectReference = number | string;

export interface JobSubmission {
  project: ProjectReference;
  tags: string[];
  script: string[];
  afterScript?: string[];
  name?: string;
  ref?: string;
  timeoutSeconds?: number;
}

export interface PipelineOrder {
  project: ProjectReference;
  ref?: string;
  /** Stacks of `acme/runners`. Default: `linux`. */
  runnerNames?: string[];
  inputs?: Record<string, unknown>;
}

export interface CreatedPipeline {
  id: number;
  iid: number;
  jobs: { id: number; name: string; tags: string[] }[];
}

export interface TokenOrder {
  user: string;
  scopes: string[];
  /**
   * Fine-grained permissions. A classic token with an empty list stands for a namespace that
   * refuses it.
   */
  permissions?: string[];
  /** Sets the user's role in the group `acme`, or in `project`. Absent: unchanged. */
  accessLevel?: AccessLevelName;
  project?: ProjectReference;
  /** Whether the user is blocked. */
  blocked?: boolean;
  /** Expiry in ISO 8601. Default: in one year. */
  expiresAt?: string;
}

export interface GitLab {
  version: GitLabVersion;
  /** App with the path /api/v4/*. A response with `RESET_HEADER` must not be sent. */
  app: Hono;
  fetch(request: Request): Promise<Response>;
  /**
   * Returns the token of `deployer`, Owner of `acme`, with the scope `api`. It stays the same after
   * a restart.
   */
  deployerToken(): string;
  createToken(order: TokenOrder): { id: number; token: string };
  revokeToken(id: number): void;
  createTriggerToken(project: ProjectReference): { token: string };
  /** Deletes the runner's owner project and all its other projects. */
  orphanRunner(id: number): void;
  /** Sets the plan's limit for each group and project. */
  setRunnerLimit(most: number | undefined): void;
  /** Sets the lifetime of new runner tokens, like an administrator. Undefined: no expiry. */
  setRunnerTokenLife(seconds: number | undefined): void;
  /** Opens the job's log in a browser: for ten seconds, the runner sends it more often. */
  watchTrace(jobId: number): void;
  /** Shows a project's pipelines to guests, without their jobs. */
  showPipelinesToGuests(project: ProjectReference): void;
  /** Replaces `workflow` in the project's `.gitlab-ci.yml`. */
  configureWorkflow(project: ProjectReference, workflow: Record<string, unknown>): void;
  /** Moves a project to a new path. The old path redirects to it. */
  moveProject(project: ProjectReference, name: string): void;
  submitJob(submission: JobSubmission): { id: number; pipelineId: number };
  setJobStatus(id: number, status: JobStatus, failureReason?: string): void;
  createPipeline(order: PipelineOrder): CreatedPipeline;
  /** Returns copies of all jobs that ever existed, also of deleted pipelines. */
  jobs(): Job[];
  runners(): RunnerSummary[];
  /** Returns the traffic since the start of this process. */
  traffic(): Traffic;
  /**
   * Applies the effects of time: lost acknowledgements, unresponsive jobs, stale managers, held
   * requests.
   */
  tick(): void;
  close(): void;
}

export interface RunnerSummary {
  id: number;
  description: string;
  paused: boolean;
  tags: string[];
  managers: { id: number; systemId: string; version: string | null; contactedAt: number | null }[];
}
