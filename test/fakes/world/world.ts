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
 * Everything outside of the product, as plain data that can be cloned, hashed and printed. Times
 * are the servers', in milliseconds since 1970.
 */
export interface World {
  now: number;
  /** Difference of the own machine's clock to `now`. */
  skewMs: number;
  seed: number;
  /** Events in order of time; `order` breaks ties. */
  events: ScheduledEvent[];
  counters: Counters;
  /** Stacks that the product manages, and others that it must not touch. */
  stacks: StackSettings[];
  behaviour: Behaviour;
  registrations: Record<string, RegistrationState>;
  jobs: Record<string, JobState>;
  /** Jobs that wait for a runner, oldest first. */
  queue: string[];
  /** Jobs that GitLab reports as assigned, running or canceling. */
  alive: string[];
  streams: JobStream[];
  parameters: Record<string, ParameterState>;
  /** Deleted names, with the value that stale reads still show. */
  removed: Record<string, { at: number; value: ParameterState['versions'][number] }>;
  hosts: Record<string, HostState>;
  infrastructure: Record<string, InfrastructureState>;
  /** Resources other than hosts that carry a shard's tags. */
  tagged: { runnerName: string; shard: string; resource: TaggedResource }[];
  /** Terminating hooks that wait. */
  hooks: { runnerName: string; shard: string; hook: WaitingHook }[];
  /** Results of other sources about the stack. */
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
  olderTokens?: string[]; // GitHub: a new token leaves these valid.
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
  /**
   * Last contact; absent if only the token was verified and GitLab does not count this as a
   * contact.
   */
  contactedAt?: number;
  hostId: string;
  /** GitHub: registered after its fleet was paused. */
  keepsLabels?: true;
}

export interface JobState {
  id: string;
  name: string;
  kind: 'customer' | 'canary' | 'pipeline';
  project: string;
  /** Deployment whose canary this job is. */
  deployment?: string;
  tags: string[];
  visible: boolean;
  status: 'waiting' | 'assigned' | 'running' | 'canceling' | 'success' | 'failed' | 'canceled';
  durationMs: number;
  createdAt: number;
  /** Number of assignments. It distinguishes events of an earlier assignment. */
  attempt: number;
  startedAt?: number;
  finishedAt?: number;
  registrationId?: string;
  managerId?: number;
  systemId?: string;
  hostId?: string;
  failureReason?: string;
  /**
   * Reason why the job was interrupted. `us`: hosted-runner removed its host, process or token.
   */
  interruptedBy?: 'us' | 'force' | 'world';
  /** `trap '' TERM`: the runner exits before the job and never reports its end. */
  ignoresSigterm?: true;
}

export interface JobStream {
  everyMs: number;
  /** Durations, used in turn. */
  durationsMs: number[];
  tags: string[];
  visible: boolean;
  project: string;
  /** Maximum number of jobs; unlimited if absent. */
  count?: number;
  submitted: number;
}

export interface ParameterState {
  versions: { value: string; version: number; modifiedAt: number; secret: boolean }[];
  allowedPattern?: string;
}

export interface HostState extends HostQuirks {
  id: string;
  /** Name tag of the instance. */
  name: string;
  runnerName: string;
  shard: string;
  createdAt: number;
  state: 'running' | 'stopped' | 'terminated';
  agent: 'online' | 'lost';
  /** Time of the termination, if the agent responded until then. */
  endedOnlineAt?: number;
  /** `hangs`: the host does nothing. `offline`: the host has no network, and its jobs continue. */
  cutOff?: 'hangs' | 'offline';
  /** Jobs that ended while the host was unreachable. */
  unheard?: string[];
  lastPingAt?: number;
  process: HostReport['process'];
  restarts: boolean;
  boot: BootBehaviour;
  /** Token that the host read at its boot. */
  token?: string;
  systemId: string;
  version: string;
  registrationId?: string;
  managerId?: number;
  /** GitHub's responses to the next removals of the runner: already absent, or unknown. */
  removalAnswers?: ('absent' | 'unknown')[];
  contactedAt?: number;
  jobs: string[];
  polls: boolean;
  log: string[];
  /** Whether an infrastructure's state contains the host. */
  managed: boolean;
  /** Whether `listen_address` responds. */
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
  /** Process id, if the machine reports one. */
  pid?: number;
  isStopped?: boolean;
}

/** Memory of the checks between effects. */
export interface CheckState {
  /** Number of history entries that were checked. */
  checkCount: number;
  accepting: Record<string, boolean>;
  /**
   * Whether a shard's machines work, by its description; otherwise the time and history length at
   * which they stopped.
   */
  worked: Record<string, 'now' | { at: number; entry: number }>;
  /** Switches by stack and deployment. */
  switches: Record<string, number>;
  directions: Record<string, string>;
}
