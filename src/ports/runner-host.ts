import type { StackShard } from '../domain/shard.ts';
import type { Effects } from './effect.ts';

/** Machines that run `gitlab-runner`, queried by Run Command. */
export interface RunnerHost {
  /**
   * Lists hosts by Name tag, with the state that Systems Manager reports. Terminated ones are
   * excluded.
   */
  list(shard: StackShard): Promise<readonly Host[]>;
  /**
   * Checks the host once: process, jobs, versions, last log lines. `silent`: no response in time,
   * which is 105 seconds or the given limit.
   */
  look(
    hostId: string,
    limit?: CheckLimit,
  ): Promise<HostReport | { kind: 'silent'; reason: string }>;
  /**
   * Disables the restart and ends the idle process. The main process gets SIGQUIT. GitHub's
   * listener is frozen, and killed once its record contains no job. `busy`: it has a job after all,
   * and continues it. Idempotent.
   */
  quit(
    hostId: string,
  ): Promise<
    | { kind: 'sent' }
    | { kind: 'already_stopped' }
    | { kind: 'busy'; reason: string }
    | { kind: 'refused'; reason: string }
  >;
  /**
   * Starts an ended process and enables its restart; leaves a running one unchanged. Idempotent.
   */
  start(
    hostId: string,
  ): Promise<
    { kind: 'started' } | { kind: 'already_running' } | { kind: 'refused'; reason: string }
  >;
  /** Ends running jobs (SIGTERM). Only for an explicit `drain.force_after`. */
  kill(hostId: string): Promise<void>;
  /** Creates and removes a volume and a container named `health-check-…`. */
  probeWorkload(hostId: string): Promise<{ kind: 'worked' } | { kind: 'failed'; reason: string }>;
  /** Checks which addresses the host reaches. One result per address, in their order. */
  reach(hostId: string, targets: readonly string[]): Promise<readonly Reached[]>;
  /**
   * Runs `gitlab-runner verify` on the host, which returns GitLab's response to the runner's token.
   * GitLab counts it as a contact of the manager. It must not run before the manager's own first
   * contact.
   */
  verifyToken(hostId: string): Promise<TokenCheck>;
}

export interface CheckLimit {
  /** Milliseconds after which the check ends without a response; default: 105 seconds. */
  readonly withinMs?: number;
  /**
   * Milliseconds for which the host may wait before it responds. It responds when its job list is
   * empty, when its process state has changed, or when the time has passed. A host may respond
   * earlier. 0 or absent: at once.
   */
  readonly untilIdleMs?: number;
}

export const hostEffects = {
  list: 'reads',
  look: 'reads',
  quit: 'irreversible',
  start: 'writes',
  kill: 'irreversible',
  probeWorkload: 'writes',
  reach: 'reads',
  // GitLab counts it as a contact of the manager.
  verifyToken: 'writes',
} as const satisfies Effects<RunnerHost>;

export interface Reached {
  readonly target: string;
  readonly kind: 'reached' | 'refused';
  /** Status code, or a short reason. */
  readonly detail: string;
}

export interface TokenCheck {
  readonly kind: 'accepted' | 'refused' | 'unknown';
  readonly detail: string;
}

export interface Host {
  readonly id: string;
  readonly agent: 'online' | 'lost';
  readonly lastPingAt?: string;
  /** Set if the host does not run Linux: the host scripts support only Linux. */
  readonly platform?: 'Windows' | 'macOS';
}

/** The runner's counters of its job requests. */
export interface JobRequests {
  /** 201 or 204: the token is valid, and GitLab would have assigned a job. */
  readonly answered: number;
  /** Requests with the response 403. */
  readonly refused: number;
  /** Every other response, and every request without one; absent if not counted. */
  readonly failed?: number;
  /**
   * Set for requests through GitLab's job router (FF_USE_JOB_ROUTER): its counter includes
   * failures.
   */
  readonly byRouter?: true;
  /** Maximum of concurrent jobs: when all slots are in use, the runner requests no job. */
  readonly slots?: number;
}

/** Requests of one runner in a process with several runners. */
export interface RunnerRequests {
  /** Id in GitLab, if the host's configuration has one. */
  readonly registration?: string;
  /** Counters without slots, which belong to the whole process. */
  readonly requests: JobRequests;
}

export interface HostReport {
  readonly kind: 'report';
  /** State of the runner process. `absent`: no such container or unit exists. */
  readonly process: 'starting' | 'running' | 'quitting' | 'stopped' | 'absent' | 'unknown';
  /** Whether the process would be restarted after an exit. */
  readonly restarts: boolean;
  /** Lines of `/debug/jobs/list`; `undefined` if the endpoint did not respond. */
  readonly jobs: readonly string[] | undefined;
  /**
   * `off`: nothing listens at the endpoint of the job list; absent: something does, or it is
   * unknown.
   */
  readonly listener?: 'off';
  /** Result of `/health/ready`, for runners that have it. */
  readonly ready: 'ready' | 'not_ready' | 'not_offered';
  /** State of the container's HEALTHCHECK, if its image has one. */
  readonly health?: 'starting' | 'healthy' | 'unhealthy';
  /** State that the gRPC wrapper reports for its process, if it is configured and responds. */
  readonly wrapper?: 'unknown' | 'running' | 'in_shutdown' | 'stopped';
  /**
   * Counters of its metrics since its start; absent without such metrics, or if `requestsOf` is
   * set.
   */
  readonly requests?: JobRequests;
  /** Counters per runner, for a process with several runners (`[[runners]]`). */
  readonly requestsOf?: readonly RunnerRequests[];
  /** Idle task slots or machines of an autoscaler, from the runner's metrics. */
  readonly idleWorkers?: number;
  /** Slots of an autoscaler by the runner's states: `idle`, `acquired`, `unhealthy` and others. */
  readonly slots?: Readonly<Record<string, number>>;
  /** The host's clock minus hosted-runner's, as far as certain; positive: the host is ahead. */
  readonly clockOffMs?: number;
  /** The host's time at the check, in milliseconds since 1970. */
  readonly hostTimeMs?: number;
  readonly systemId?: string;
  readonly version?: string;
  /** Last lines of the runner's log, redacted. */
  readonly log: readonly string[];
}
