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
  /** Without a slash at its end; asked at each use, because the port is known late. */
  baseUrl(): string;
  /** Whose published limits are enforced; an instance of one's own has none unless it is told to. */
  rateLimits?: RateLimitsOf | undefined;
  /** The newest when absent. */
  version?: GitLabVersion | undefined;
  /** How long a request for a job is held while there is none; 0 answers at once. */
  longPollMs?: number | undefined;
}

/** An id or a full path, as in `201` or `acme/app`. */
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
  /** For `acme/runners`: the stacks; `linux` when absent. */
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
  /** Fine-grained; a classic token with an empty list is one whose namespace refuses it. */
  permissions?: string[];
  /** Sets the user's role in the group `acme`, or in `project`; as it is when absent. */
  accessLevel?: AccessLevelName;
  project?: ProjectReference;
  /** The user may not sign in any more. */
  blocked?: boolean;
  /** ISO 8601; a year from now when absent. */
  expiresAt?: string;
}

export interface GitLab {
  version: GitLabVersion;
  /** Serves /api/v4/*. Answers that carry `RESET_HEADER` must not be sent. */
  app: Hono;
  fetch(request: Request): Promise<Response>;
  /** Of `deployer`, Owner of `acme`, scope `api`; the same after a restart. */
  deployerToken(): string;
  createToken(order: TokenOrder): { id: number; token: string };
  revokeToken(id: number): void;
  createTriggerToken(project: ProjectReference): { token: string };
  /** Its owner project is gone, and with it every project it had. */
  orphanRunner(id: number): void;
  /** The plan's limit for each group and each project. */
  setRunnerLimit(most: number | undefined): void;
  /** An administrator has tokens of runners end after so long, or never: those that are made from now on. */
  setRunnerTokenLife(seconds: number | undefined): void;
  /** Somebody looks at the job's log in a browser: for ten seconds the runner sends it more often. */
  watchTrace(jobId: number): void;
  /** Guests may see its pipelines; their jobs they may not. */
  showPipelinesToGuests(project: ProjectReference): void;
  /** It has another path from now on; the old one leads to it. */
  moveProject(project: ProjectReference, name: string): void;
  submitJob(submission: JobSubmission): { id: number; pipelineId: number };
  setJobStatus(id: number, status: JobStatus, failureReason?: string): void;
  createPipeline(order: PipelineOrder): CreatedPipeline;
  /** Every job there ever was, also of deleted pipelines; copies. */
  jobs(): Job[];
  runners(): RunnerSummary[];
  /** Since this process began. */
  traffic(): Traffic;
  /** What time alone does: lost acknowledgements, silent jobs, stale managers, held requests. */
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
