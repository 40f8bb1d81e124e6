/**
 * Everything this GitLab knows, as plain data. Times are milliseconds since the epoch.
 * Tokens are SHA-256 digests; the one that is needed again is sealed.
 */
export interface GitLabState {
  schema: 1;
  lastIds: Record<'runner' | 'manager' | 'job' | 'pipeline' | 'token' | 'user' | 'group', number>;
  /** Counts the values that the runners' queues ever had. */
  queueValue: number;
  users: User[];
  groups: Group[];
  projects: Project[];
  memberships: Membership[];
  tokens: PersonalAccessToken[];
  triggers: { digest: string; projectId: number; userId: number }[];
  /** After so long a runner's token is refused; absent: never. Of tokens that are made from then on. */
  runnerTokenSeconds?: number;
  /** How many runners a group or a project may have; absent: any number. */
  mostRunners?: number;
  runners: Runner[];
  managers: Manager[];
  pipelines: Pipeline[];
  jobs: Job[];
  resourceGroups: ResourceGroup[];
  variables: CiVariable[];
  /** The seeded user's token, sealed. */
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
  pipelinesForGuests?: boolean;
  /** Full paths that it had. */
  formerPaths?: string[];
}

/** Of a project or of a group. */
export interface CiVariable {
  owner: { kind: 'project' | 'group'; id: number };
  key: string;
  value: string;
  /** `*`: every job gets it, also one without an environment. */
  environmentScope: string;
  /** Only pipelines of protected branches get it. */
  isProtected: boolean;
  isMasked: boolean;
  /** GitLab never returns the value. */
  isHidden: boolean;
}

/** `accessLevel`: guest 10, reporter 20, developer 30, maintainer 40, owner 50. */
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
  /** Of a fine-grained token; and of a classic one whose namespace requires fine-grained tokens. */
  permissions?: string[];
  revoked: boolean;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

export type RunnerType = 'instance_type' | 'group_type' | 'project_type';
export type RunnerAccessLevel = 'not_protected' | 'ref_protected';

/** A registration. */
export interface Runner {
  id: number;
  tokenDigest: string;
  tokenExpiresAt?: number | null;
  type: RunnerType;
  groupId: number | null;
  /** The first one owns it. */
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
  /** What is told to those who ask for jobs; another value says that there may be news. */
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

/** `assigned` is no status of GitLab's: the job is `pending` and has a runner that owes its word. */
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
  /** Played by whoever tests a deployment's own jobs; no runner is ever given it. */
  external: boolean;
  tags: string[];
  script: string[];
  afterScript: string[];
  allowFailure: boolean;
  timeoutSeconds: number;
  resourceGroup: string | null;
  retryOfId: number | null;
}

/** What becomes of a job. A retry has all of it anew. */
export interface JobRun {
  id: number;
  status: JobStatus;
  /** The last one is the present one; an older one belongs to an assignment that was taken back. */
  tokenDigests: string[];
  runnerId: number | null;
  managerId: number | null;
  /** Kept when the manager's row is gone. */
  systemId: string | null;
  createdAt: number;
  queuedAt: number | null;
  assignedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  /** Last sign of life from the runner: trace or update. */
  updatedAt: number;
  failureReason: string | null;
  exitCode: number | null;
  /** When the runner first told the end, while its log was not whole yet. */
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
  processMode: 'unordered' | 'oldest_first' | 'newest_first' | 'newest_ready_first';
  createdAt: number;
  updatedAt: number;
}
