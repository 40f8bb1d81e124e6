import { type GroupRow, usualGroups } from './groups.ts';

/** Everything this GitHub knows, as plain data. Times are milliseconds since the epoch. */
export interface GitHubState {
  schema: 1;
  lastIds: Record<'runner' | 'run' | 'job', number>;
  /** Sealed: it is asked for again. */
  deployerTokenSealed: string;
  /** Digests; good for an hour. */
  registrationTokens: { digest: string; expiresAt: number }[];
  /** Of the App, once somebody has asked for its key. */
  appPublicKey?: string;
  installationTokens: { digest: string; createdAt: number }[];
  groups: GroupRow[];
  runners: RunnerRow[];
  /** Names of runners, of which one leaves each time that the first page of the list was read. */
  leaving: string[];
  runs: RunRow[];
  jobs: JobRow[];
}

export interface RunnerRow {
  id: number;
  name: string;
  /** Of the connection that the host keeps. */
  credentialDigest: string;
  labels: string[];
  /** Labels that the runner gave itself; nobody can take them off. */
  ownLabels: string[];
  groupId: number;
  /** What it served until a moment ago, and still does. */
  before?: { labels: string[]; groupId: number; until: number };
  /** Of the runner whose place it took. */
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
  /** Given where its `runs-on` names one. */
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
  /** Whether the runner has said that it has it. */
  delivered?: boolean;
}

/** The one place where the sandbox's runners live. */
export const ORGANIZATION = 'acme';
export const REPOSITORY = 'app';

/** A runner that was not heard of for so long is shown as offline. */
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
