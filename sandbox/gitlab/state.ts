import type { PipelineSchedule, PipelineSettings, ProcessMode } from './settings/settings.ts';

/**
 * State of this GitLab as plain data. Times are milliseconds since the epoch. Tokens are stored as
 * SHA-256 digests, and the one that is returned again is sealed.
 */
export interface GitLabState {
  schema: 1;
  lastIds: Record<'runner' | 'manager' | 'job' | 'pipeline' | 'token' | 'user' | 'group', number>;
  /** Counter of all queue values. */
  queueValue: number;
  users: User[];
  groups: Group[];
  projects: Project[];
  memberships: Membership[];
  tokens: PersonalAccessToken[];
  triggers: { digest: string; projectId: number; userId: number }[];
  /** Lifetime of runner tokens that are created from then on. Absent: no expiry. */
  runnerTokenSeconds?: number;
  /** Limit of runners per group or project. Absent: none. */
  mostRunners?: number;
  runners: Runner[];
  managers: Manager[];
  pipelines: Pipeline[];
  jobs: Job[];
  resourceGroups: ResourceGroup[];
  variables: CiVariable[];
  /** Sealed token of the seeded user. */
  deployerTokenSealed: string;
}

export interface User {
  id: number;
  username: string;
  admin: boolean;
  blocked?: boolean;
  createdAt: number;
}

export interface Group {
  id: number;
  path: string;
  name: string;
}

export interface Project {
  id: number;
  groupId: number;
  path: string;
  name: string;
  branches: string[];
  protectedBranches: string[];
  lastPipelineIid: number;
  createdAt: number;
  settings: PipelineSettings;
  schedules: PipelineSchedule[];
  pipelinesForGuests?: boolean;
  /** Former full paths. */
  formerPaths?: string[];
}

/** Variable of a project or group. */
export interface CiVariable {
  owner: { kind: 'project' | 'group'; id: number };
  key: string;
  value: string;
  /** Scope. With `*`, every job gets the variable, also one without an environment. */
  environmentScope: string;
  /** Whether only pipelines of protected branches get it. */
  isProtected: boolean;
  isMasked: boolean;
  /** Whether GitLab never returns the value. */
  isHidden: boolean;
}

/** Role of a user. `accessLevel`: guest 10, reporter 20, developer 30, maintainer 40, owner 50. */
export type Membership = { userId: number; accessLevel: number } & (
  | { kind: 'group'; groupId: number }
  | { kind: 'project'; projectId: number }
);

export interface PersonalAccessToken {
  id: number;
  name: string;
  digest: string;
  userId: number;
  scopes: string[];
  /**
   * Permissions of a fine-grained token. A classic token also has a list if its namespace requires
   * fine-grained tokens.
   */
  permissions?: string[];
  revoked: boolean;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

export type RunnerType = 'instance_type' | 'group_type' | 'project_type';
export type RunnerAccessLevel = 'not_protected' | 'ref_protected';

export interface Runner {
  id: number;
  tokenDigest: string;
  tokenExpiresAt?: number | null;
  type: RunnerType;
  groupId: number | null;
  /** Projects of the runner. The first one owns it. */
  projectIds: number[];
  description: string | null;
  maintenanceNote: string | null;
  paused: boolean;
  locked: boolean;
  accessLevel: RunnerAccessLevel;
  runUntagged: boolean;
  tags: string[];
  maximumTimeoutSeconds: number | null;
  createdById: number;
  createdAt: number;
  updatedAt?: number;
  contactedAt: number | null;
  /** Value that a job request returns. A new value means that there may be a job. */
  queue?: { value: string; madeAt: number } | undefined;
}

export interface Manager {
  id: number;
  runnerId: number;
  systemId: string;
  version: string | null;
  revision: string | null;
  platform: string | null;
  architecture: string | null;
  ipAddress: string;
  features: Record<string, boolean>;
  createdAt: number;
  contactedAt: number | null;
}

export interface Pipeline {
  id: number;
  iid: number;
  projectId: number;
  userId: number;
  ref: string;
  sha: string;
  source: 'api' | 'trigger' | 'push' | 'web';
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

export const JOB_STATUSES = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * Change of a job's status. `assigned` is no GitLab status: the job is `pending`, and its runner
 * has not acknowledged it.
 */
export interface Transition {
  at: number;
  status: JobStatus | 'assigned';
  runnerId: number | null;
  systemId: string | null;
}

export interface Job extends JobRun {
  pipelineId: number;
  projectId: number;
  userId: number;
  name: string;
  stage: string;
  ref: string;
  /** Whether a test plays the job. No runner ever gets it. */
  external: boolean;
  tags: string[];
  script: string[];
  afterScript: string[];
  allowFailure: boolean;
  timeoutSeconds: number;
  resourceGroup: string | null;
  retryOfId: number | null;
}

/** Course of a job. A retry starts with a new one. */
export interface JobRun {
  id: number;
  status: JobStatus;
  /**
   * Digests of the job's tokens. The last one is current; older ones belong to revoked assignments.
   */
  tokenDigests: string[];
  runnerId: number | null;
  managerId: number | null;
  /** System id, kept after the manager's record is deleted. */
  systemId: string | null;
  createdAt: number;
  queuedAt: number | null;
  assignedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  /** Time of the last log or update from the runner. */
  updatedAt: number;
  failureReason: string | null;
  exitCode: number | null;
  /** Time at which the runner first reported the end, before its log was complete. */
  endToldAt: number | null;
  watchedUntil: number | null;
  retriedById: number | null;
  deletedAt: number | null;
  transitions: Transition[];
}

export interface ResourceGroup {
  id: number;
  projectId: number;
  key: string;
  processMode: ProcessMode;
  createdAt: number;
  updatedAt: number;
}
