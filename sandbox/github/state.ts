import { type GroupRow, usualGroups } from './groups.ts';

/** State of this GitHub as plain data. Times are milliseconds since the epoch. */
export interface GitHubState {
  schema: 1;
  lastIds: Record<'runner' | 'run' | 'job', number>;
  /** Sealed token, because it is returned again. */
  deployerTokenSealed: string;
  /** Digests of tokens that are valid for an hour. */
  registrationTokens: { digest: string; expiresAt: number }[];
  /** Public key of the App, once its key was requested. */
  appPublicKey?: string;
  installationTokens: { digest: string; createdAt: number }[];
  groups: GroupRow[];
  runners: RunnerRow[];
  /** Names of runners. One is removed each time that the first page of the list was read. */
  leaving: string[];
  runs: RunRow[];
  jobs: JobRow[];
}

export interface RunnerRow {
  id: number;
  name: string;
  /** Digest of the credential for the host's connection. */
  credentialDigest: string;
  labels: string[];
  /** Labels that the runner set itself. They cannot be removed. */
  ownLabels: string[];
  groupId: number;
  /** Labels and group before the last change, which still apply until then. */
  before?: { labels: string[]; groupId: number; until: number };
  /** Labels of the runner that this one replaced. */
  formerLabels?: string[];
  ephemeral: boolean;
  version: string;
  lastSeenAt: number;
  registeredAt: number;
}

export interface RunRow {
  id: number;
  repository: string;
  workflow: string;
  title: string;
  createdAt: number;
}

export interface JobRow {
  id: number;
  runId: number;
  name: string;
  repository: string;
  workflow: string;
  /** Group, if `runs-on` names one. */
  group?: string;
  labels: string[];
  script: string[];
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | 'cancelled' | null;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
  runnerId: number | null;
  runnerName: string | null;
  cancelRequested: boolean;
  /** Whether the runner has acquired the job. */
  delivered?: boolean;
}

/** Organization of all runners in the sandbox. */
export const ORGANIZATION = 'acme';
export const REPOSITORY = 'app';

/** Time without contact after which a runner is shown as offline. */
export const OFFLINE_AFTER_MS = 60_000;

export function emptyState(deployerTokenSealed: string): GitHubState {
  return {
    schema: 1,
    lastIds: { runner: 300, run: 7_000_000, job: 9_000_000 },
    deployerTokenSealed,
    registrationTokens: [],
    installationTokens: [],
    groups: usualGroups(),
    runners: [],
    leaving: [],
    runs: [],
    jobs: [],
  };
}
