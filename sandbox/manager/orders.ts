import type { LogFormat } from './log-format.ts';

/** Order from the host to its runner manager, over their private channel. */
export type ManagerOrder =
  | { kind: 'start'; settings: ManagerSettings }
  /** Hangs the machine: neither the manager nor its jobs continue. */
  | { kind: 'freeze' };

export type ManagerReport =
  | { kind: 'listening'; port: number }
  | { kind: 'contacted' }
  /** Reports the processes of jobs, for a runner whose jobs are found by process. */
  | { kind: 'workers'; pids: readonly number[] };

export interface ManagerSettings {
  /** GitLab's address without `/api/v4`. */
  url: string;
  /** Token, which is passed only here: in no argument, environment or file. */
  token: string;
  systemId: string;
  /** Version such as `18.5.0`. It decides requests and endpoints. */
  version: string;
  /** Idle task slots of the autoscaler in the metrics. Absent: no autoscaler. */
  idleWorkers?: number | undefined;
  logFormat: LogFormat;
  /**
   * FF_USE_JOB_ROUTER: requests go through GitLab's job router, and no metric counts them as
   * `request_job`.
   */
  jobRouter: boolean;
  conduct: ManagerConduct;
  /** Number of jobs per runner system failure, counted from the start. 0: no failures. */
  failsEvery: number;
  concurrent: number;
  checkIntervalMs: number;
  traceIntervalMs: number;
  /** Interval of updates for a job without output. */
  heartbeatMs: number;
  /** Time without requests after three refused ones. */
  unhealthyIntervalMs: number;
  shutdownTimeoutMs: number;
  buildsFolder: string;
  /** PATH of the jobs' shells. */
  searchPath: string;
  /** Set for a GitHub runner. */
  github?: ActionsRunnerSettings | undefined;
}

export interface ActionsRunnerSettings {
  name: string;
  labels: readonly string[];
  group: string;
  ephemeral: boolean;
  /** Folder of the credential, which keeps the runner's identity across restarts. */
  home: string;
}

export type ManagerConduct = 'works' | 'never_contacts' | 'fails_jobs' | 'never_takes_jobs';
