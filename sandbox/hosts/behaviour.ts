import type { LogFormat } from '../manager/log-format.ts';

/** How the machines of a stack or of one shard behave. Durations in milliseconds. */
export interface Behaviour {
  boot: BootBehaviour;
  bootDelayMs: number;
  /** How long after the boot its SSM agent registers; one whose first ping fails sleeps for 5 to 60 minutes. */
  agentDelayMs: number;
  /** With `dies_after_ms`: the machine is gone this long after its boot. */
  diesAfterMs: number;
  /** With `hangs`: it hangs this long after its boot. */
  hangsAfterMs: number;
  runnerVersion: string;
  /** Of the runner's log, as `log_format` of its configuration. */
  logFormat: LogFormat;
  /** FF_USE_JOB_ROUTER of the runner's configuration. */
  jobRouter: boolean;
  /**
   * What the runner is to its machine: a container or a unit, both `gitlab-runner`, or GitHub's
   * runner as the unit `actions-runner`.
   */
  process: 'docker' | 'systemd' | 'actions_runner';
  /** Of GitHub's runners: whether each leaves after one job. */
  ephemeral: boolean;
  restartPolicy: RestartPolicy;
  /** Of so many jobs that a machine of GitLab's takes, the last one fails by its fault; 0: none. */
  failsEvery: number;
  /** Whether the runner manager runs in the gRPC wrapper, at tcp://localhost:7777. */
  wrapped: boolean;
  /** What becomes of a container that a health check runs. */
  workload: 'ok' | 'broken' | 'hangs';
  /** What an image's own HEALTHCHECK says of the runner's container; absent: it has none. */
  health?: 'starting' | 'healthy' | 'unhealthy' | undefined;
  /** Idle task slots that an autoscaler's metrics tell; absent: there is no autoscaler. */
  idleWorkers?: number | undefined;
  /** Hosts of a shard. */
  managers: number;
  concurrent: number;
  checkIntervalMs: number;
  traceIntervalMs: number;
  heartbeatMs: number;
  unhealthyIntervalMs: number;
  /** A change of it makes the next apply replace the machines. */
  revision: string;
  /** The next apply fails after this many changes; used up by it. */
  failApplyAfter?: number | undefined;
  /** How long each resource takes to be made or removed. */
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

/** As prepare-runner.sh: a token that ends in the middle of a registration is none. */
const goodForMs = 55 * 60_000;

/** GitHub takes a token for registering for an hour; empty where it can still be used. */
export function whyTokenIsOld(process: Behaviour['process'], ageMs: number): string {
  if (process !== 'actions_runner' || ageMs < goodForMs) return '';
  return `the token is ${Math.floor(ageMs / 60_000)}m old and GitHub takes none after an hour; waiting for a new one (hosted-runner renew)`;
}
