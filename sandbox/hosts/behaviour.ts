import type { LogFormat } from '../manager/log-format.ts';

/** Behaviour of the machines of a stack or shard. Durations are in milliseconds. */
export interface Behaviour {
  boot: BootBehaviour;
  bootDelayMs: number;
  /**
   * Time from the boot until the SSM agent registers. An agent whose first ping fails sleeps for 5
   * to 60 minutes.
   */
  agentDelayMs: number;
  /** Time from the boot to the machine's end, with `dies_after_ms`. */
  diesAfterMs: number;
  /** Time from the boot until the machine hangs, with `hangs`. */
  hangsAfterMs: number;
  runnerVersion: string;
  /** Format of the runner's log, as `log_format` in its configuration. */
  logFormat: LogFormat;
  /** FF_USE_JOB_ROUTER in the runner's configuration. */
  jobRouter: boolean;
  /**
   * Process of the runner: `gitlab-runner` in a container or unit, or GitHub's runner in the unit
   * `actions-runner`.
   */
  process: 'docker' | 'systemd' | 'actions_runner';
  /** Whether a GitHub runner leaves after one job. */
  ephemeral: boolean;
  restartPolicy: RestartPolicy;
  /** Number of jobs per runner system failure on a GitLab machine. 0: no failures. */
  failsEvery: number;
  /** Whether the runner manager runs in the gRPC wrapper, at tcp://localhost:7777. */
  wrapped: boolean;
  /** Result of a health check's container. */
  workload: 'ok' | 'broken' | 'hangs';
  /** Result of the HEALTHCHECK of the runner's image. Absent: the image has none. */
  health?: 'starting' | 'healthy' | 'unhealthy' | undefined;
  /** Idle task slots in an autoscaler's metrics. Absent: no autoscaler. */
  idleWorkers?: number | undefined;
  /** Hosts per shard. */
  managers: number;
  concurrent: number;
  checkIntervalMs: number;
  traceIntervalMs: number;
  heartbeatMs: number;
  unhealthyIntervalMs: number;
  /** Revision of the definition. After a change, the next apply replaces the machines. */
  revision: string;
  /** Number of changes after which the next apply fails, once. */
  failApplyAfter?: number | undefined;
  /** Time to create or remove a resource. */
  resourceMs: number;
}

export type BootBehaviour =
  | 'ok'
  | 'never_contacts'
  | 'contacts_but_fails_jobs'
  | 'contacts_but_never_takes_jobs'
  | 'dies_after_ms'
  | 'hangs';

export type RestartPolicy = 'always' | 'on-failure' | 'no';

export const usualBehaviour: Behaviour = {
  boot: 'ok',
  bootDelayMs: 500,
  agentDelayMs: 2000,
  diesAfterMs: 5000,
  hangsAfterMs: 0,
  runnerVersion: '19.4.0',
  logFormat: 'runner',
  jobRouter: false,
  process: 'docker',
  ephemeral: false,
  restartPolicy: 'always',
  failsEvery: 0,
  wrapped: false,
  workload: 'ok',
  managers: 1,
  concurrent: 4,
  checkIntervalMs: 3000,
  traceIntervalMs: 60_000,
  heartbeatMs: 30_000,
  unhealthyIntervalMs: 3_600_000,
  revision: '1',
  resourceMs: 20,
};

/** Longest age of a token, as in prepare-runner.sh: it must not expire during the registration. */
const goodForMs = 55 * 60_000;

/**
 * Returns why a token is too old, or an empty text. GitHub accepts a registration token for an
 * hour.
 */
export function whyTokenIsOld(process: Behaviour['process'], ageMs: number): string {
  if (process !== 'actions_runner' || ageMs < goodForMs) return '';
  return `the token is ${Math.floor(ageMs / 60_000)}m old, and GitHub accepts a token for one hour only; waiting for a new one (hosted-runner renew)`;
}
