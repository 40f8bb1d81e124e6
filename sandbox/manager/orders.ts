import type { LogFormat } from './log-format.ts';

/** What the host tells its runner manager, over the channel that only the two of them have. */
export type ManagerOrder =
  | { kind: 'start'; settings: ManagerSettings }
  /** The machine hangs: nothing moves any more, neither the manager nor its jobs. */
  | { kind: 'freeze' };

export type ManagerReport =
  | { kind: 'listening'; port: number }
  | { kind: 'contacted' }
  /** Processes of jobs, of a runner that is asked for its jobs by them. */
  | { kind: 'workers'; pids: readonly number[] };

export interface ManagerSettings {
  /** GitLab's address without `/api/v4`. */
  url: string;
  /** Arrives here and nowhere else: no argument, no environment, no file. */
  token: string;
  systemId: string;
  /** `18.5.0`; decides what is sent and which endpoints there are. */
  version: string;
  /** Of the autoscaler that its metrics tell of; absent: it has none. */
  idleWorkers?: number | undefined;
  logFormat: LogFormat;
  /** FF_USE_JOB_ROUTER: its requests go through GitLab's job router, and no metric counts them as `request_job`. */
  jobRouter: boolean;
  conduct: ManagerConduct;
  /** Of so many jobs that it takes, counted from its start, the last one fails by its fault; 0: none. */
  failsEvery: number;
  concurrent: number;
  checkIntervalMs: number;
  traceIntervalMs: number;
  /** GitLab hears of a quiet job this often. */
  heartbeatMs: number;
  /** How long three refused requests silence the manager. */
  unhealthyIntervalMs: number;
  shutdownTimeoutMs: number;
  buildsFolder: string;
  /** The search path of the jobs' shells. */
  searchPath: string;
  /** Given for a runner of GitHub. */
  github?: ActionsRunnerSettings | undefined;
}

export interface ActionsRunnerSettings {
  name: string;
  labels: readonly string[];
  group: string;
  ephemeral: boolean;
  /** Where its credential is kept, so that it is the same runner after a restart. */
  home: string;
}

export type ManagerConduct = 'works' | 'never_contacts' | 'fails_jobs' | 'never_takes_jobs';
