import type { TaggedResource } from '../../../src/domain/plan/aws-resource.ts';
import type { RegistrationSettings, StackSettings } from '../../../src/domain/settings.ts';
import type { WaitingHook } from '../../../src/ports/cloud/lifecycle-hooks.ts';
import type { HostReport } from '../../../src/ports/runner-host.ts';
import type { Behaviour, BootBehaviour } from '../hosts/behaviour.ts';
import type { HostQuirks } from '../hosts/host-quirks.ts';
import type { SignalsState } from '../ports/signals-fake.ts';
import type { HistoryEntry } from './history.ts';
import type { WorldEvent } from './world-event.ts';

/**
 * Everything outside of the product, as plain data: it can be cloned, hashed and printed. Time is
 * the servers' time; all moments are milliseconds since 1970.
 */
export interface World {
  now: number;
  /** Added to `now` for our own machine's clock. */
  skewMs: number;
  seed: number;
  /** In the order of time; `order` breaks ties. */
  events: ScheduledEvent[];
  counters: Counters;
  /** Stacks that the product knows, and others that it must not touch. */
  stacks: StackSettings[];
  behaviour: Behaviour;
  registrations: Record<string, RegistrationState>;
  jobs: Record<string, JobState>;
  /** Jobs that wait for a runner, oldest first. */
  queue: string[];
  /** Jobs that GitLab holds for assigned, running or canceling. */
  alive: string[];
  streams: JobStream[];
  parameters: Record<string, ParameterState>;
  /** Names that were deleted, with what stale reads still show. */
  removed: Record<string, { at: number; value: ParameterState['versions'][number] }>;
  hosts: Record<string, HostState>;
  infrastructure: Record<string, InfrastructureState>;
  /** What carries a shard's tags besides its hosts. */
  tagged: { runnerName: string; shard: string; resource: TaggedResource }[];
  /** Terminating hooks that wait. */
  hooks: { runnerName: string; shard: string; hook: WaitingHook }[];
  /** What others say of the stack. */
  signals: SignalsState;
  pipelines: Record<string, PipelineState>;
  processes: Record<string, ProcessState>;
  history: HistoryEntry[];
  checks: CheckState;
  violations: string[];
}

export interface ScheduledEvent {
  at: number;
  order: number;
  event: WorldEvent;
}

export interface Counters {
  order: number;
  registration: number;
  manager: number;
  job: number;
  host: number;
  token: number;
  random: number;
  plan: number;
}

export interface RegistrationState {
  id: string;
  description: string;
  note: string;
  paused: boolean;
  pausedAt?: number;
  tags: string[];
  runUntagged: boolean;
  locked: boolean;
  accessLevel: RegistrationSettings['accessLevel'];
  scope: RegistrationSettings['scope'];
  maximumTimeoutSeconds?: number;
  projects: number[];
  token: string;
  olderTokens?: string[]; // Of GitHub: a new one ends none of them.
  expiresAt?: string;
  createdAt: number;
  contacted: boolean;
  managers: ManagerState[];
}

export interface ManagerState {
  id: number;
  systemId: string;
  version: string;
  createdAt: number;
  /** Absent where its token was verified only, by a GitLab that takes that for no contact. */
  contactedAt?: number;
  hostId: string;
  /** Of GitHub: registered since its fleet was closed. */
  keepsLabels?: true;
}

export interface JobState {
  id: string;
  name: string;
  kind: 'customer' | 'canary' | 'pipeline';
  project: string;
  /** Of the deployment whose canary it is. */
  deployment?: string;
  tags: string[];
  visible: boolean;
  status: 'waiting' | 'assigned' | 'running' | 'canceling' | 'success' | 'failed' | 'canceled';
  durationMs: number;
  createdAt: number;
  /** Counts assignments, so that an event of an older one is known. */
  attempt: number;
  startedAt?: number;
  finishedAt?: number;
  registrationId?: string;
  managerId?: number;
  systemId?: string;
  hostId?: string;
  failureReason?: string;
  /** Why it did not run to its end. `us`: a host, a process or a token was taken from under it. */
  interruptedBy?: 'us' | 'force' | 'world';
  /** `trap '' TERM`: its runner exits before it, and never reports its end. */
  ignoresSigterm?: true;
}

export interface JobStream {
  everyMs: number;
  /** Taken in turn. */
  durationsMs: number[];
  tags: string[];
  visible: boolean;
  project: string;
  /** Submits no more than so many; absent: for ever. */
  count?: number;
  submitted: number;
}

export interface ParameterState {
  versions: { value: string; version: number; modifiedAt: number; secret: boolean }[];
  allowedPattern?: string;
}

export interface HostState extends HostQuirks {
  id: string;
  /** The Name tag. */
  name: string;
  runnerName: string;
  shard: string;
  createdAt: number;
  state: 'running' | 'stopped' | 'terminated';
  agent: 'online' | 'lost';
  /** When it was terminated, if its agent had answered until then. */
  endedOnlineAt?: number;
  /** It stands still, or nobody hears of it and it hears of nobody while its jobs go on. */
  cutOff?: 'hangs' | 'offline';
  /** Jobs that came to their end while nobody could hear of it. */
  unheard?: string[];
  lastPingAt?: number;
  process: HostReport['process'];
  restarts: boolean;
  boot: BootBehaviour;
  /** The registration's token that it read when it booted. */
  token?: string;
  systemId: string;
  version: string;
  registrationId?: string;
  managerId?: number;
  /** What GitHub answers to the next tries to remove its runner: it has just left, or no word of it. */
  removalAnswers?: ('absent' | 'unknown')[];
  contactedAt?: number;
  jobs: string[];
  polls: boolean;
  log: string[];
  /** Whether an infrastructure's state knows it. */
  managed: boolean;
  /** Whether `listen_address` answers. */
  listens: boolean;
  platform?: 'Windows' | 'macOS';
}

export interface InfrastructureState {
  runnerName: string;
  shard: string;
  resources: string[];
  revision: number;
}

export interface PipelineState {
  createdAt: number;
  /** `blocked`: waits for a manual job. */
  state: 'running' | 'blocked' | 'finished' | 'deleted';
  jobs: Record<string, 'running' | 'finished'>;
  endings?: ('failed' | 'success')[];
}

export interface ProcessState {
  machine: string;
  alive: boolean;
  /** Where its machine tells; absent otherwise. */
  pid?: number;
  isStopped?: boolean;
}

/** What the checks after every effect remember. */
export interface CheckState {
  /** Entries of the history that were looked at. */
  looked: number;
  serving: Record<string, boolean>;
  /** By a shard's description, whether its machines work; or when they stopped to, and how long the history was then. */
  worked: Record<string, 'now' | { at: number; entry: number }>;
  /** By stack and deployment. */
  switches: Record<string, number>;
  directions: Record<string, string>;
}
