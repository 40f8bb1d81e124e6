import type { StackShard } from '../domain/shard.ts';
import type { Effects } from './effect.ts';

/** The machines that run `gitlab-runner`, asked by Run Command. */
export interface RunnerHost {
  /** Hosts by Name tag, with what the SSM agent's service says of them. Terminated ones are not listed. */
  list(shard: StackShard): Promise<readonly Host[]>;
  /**
   * One look at the host: process, jobs, versions, last log lines. `silent` if it did not answer in time:
   * in a minute and three quarters, or within the limit of whoever only tells what is seen.
   */
  look(
    hostId: string,
    limit?: CheckLimit,
  ): Promise<HostReport | { kind: 'silent'; reason: string }>;
  /**
   * Disables the restart and ends the idle process: SIGQUIT to the main process, or, for a listener of
   * GitHub's, frozen and killed once its own record holds no job. `busy`: it has one after all, and
   * goes on with it. Idempotent; says what it found.
   */
  quit(
    hostId: string,
  ): Promise<
    | { kind: 'sent' }
    | { kind: 'already_stopped' }
    | { kind: 'busy'; reason: string }
    | { kind: 'refused'; reason: string }
  >;
  /** Starts a process that has ended, with its restart; leaves a running one as it is. Idempotent. */
  start(
    hostId: string,
  ): Promise<
    { kind: 'started' } | { kind: 'already_running' } | { kind: 'refused'; reason: string }
  >;
  /** Ends running jobs (SIGTERM). Only by an explicit `drain.force_after`. */
  kill(hostId: string): Promise<void>;
  /** Makes and removes a volume and a container named `health-check-…`. */
  probeWorkload(hostId: string): Promise<{ kind: 'worked' } | { kind: 'failed'; reason: string }>;
  /** Which of the addresses the host reaches from where it stands. One answer for each, in their order. */
  reach(hostId: string, targets: readonly string[]): Promise<readonly Reached[]>;
  /**
   * `gitlab-runner verify` on the host: what GitLab says to the token that the runner has. It makes
   * GitLab hear from the manager, so that it must not be asked before the manager was heard by itself.
   */
  verifyToken(hostId: string): Promise<TokenCheck>;
}

export interface CheckLimit {
  /** Gives the host up after so many milliseconds; absent: after a minute and three quarters. */
  readonly withinMs?: number;
  /**
   * The host itself waits before it answers: until its list of jobs is empty, the state of its process has
   * changed, or this many milliseconds have passed (a host may answer sooner). 0 or absent: it answers at once.
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
  // It makes GitLab hear from the manager.
  verifyToken: 'writes',
} as const satisfies Effects<RunnerHost>;

export interface Reached {
  readonly target: string;
  readonly kind: 'reached' | 'refused';
  /** The status code, or why not, in a few words. */
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
  /** Where it is not Linux: the scripts for hosts are for no other one. */
  readonly platform?: 'Windows' | 'macOS';
}

/** The runner's own count of its requests for a job. */
export interface JobRequests {
  /** 201 or 204: its token is good, and GitLab would have given it a job. */
  readonly answered: number;
  /** 403. */
  readonly refused: number;
  /** Every other response, and every request without a response; absent: none is counted. */
  readonly failed?: number;
  /** Its requests go through GitLab's job router (FF_USE_JOB_ROUTER), whose counter counts failures, too. */
  readonly byRouter?: true;
  /** How many jobs it runs at once: with all taken it asks for none. */
  readonly slots?: number;
}

/** Of one runner of several that a process has. */
export interface RunnerRequests {
  /** Its id in GitLab, where its configuration has one. */
  readonly registration?: string;
  /** Without slots, which are those of the whole process. */
  readonly requests: JobRequests;
}

export interface HostReport {
  readonly kind: 'report';
  /** The runner process. `absent`: there is no such container or unit. */
  readonly process: 'starting' | 'running' | 'quitting' | 'stopped' | 'absent' | 'unknown';
  /** Whether something would start it again after an exit. */
  readonly restarts: boolean;
  /** Lines of `/debug/jobs/list`; `undefined` where the endpoint did not answer. */
  readonly jobs: readonly string[] | undefined;
  /** Nothing listens where the list of jobs is asked for; absent: something does, or it is not known. */
  readonly listener?: 'off';
  /** `/health/ready`, for runners that have it. */
  readonly ready: 'ready' | 'not_ready' | 'not_offered';
  /** The container's own HEALTHCHECK, where its image has one. */
  readonly health?: 'starting' | 'healthy' | 'unhealthy';
  /** What the gRPC wrapper says of the process in it, where one is configured and answers. */
  readonly wrapper?: 'unknown' | 'running' | 'in_shutdown' | 'stopped';
  /** By its metrics since it started; absent where they do not tell, and where `requestsOf` does. */
  readonly requests?: JobRequests;
  /** The same of a process with several runners (`[[runners]]`): of each of them. */
  readonly requestsOf?: readonly RunnerRequests[];
  /** Idle task slots or machines of an autoscaler, by the runner's metrics. */
  readonly idleWorkers?: number;
  /** Of an autoscaler, by the state that the runner gives them: `idle`, `acquired`, `unhealthy` and so on. */
  readonly slots?: Readonly<Record<string, number>>;
  /** The host's clock minus ours, as far as it is certain; positive: the host's is ahead. */
  readonly clockOffMs?: number;
  /** The host's own time at the check, in milliseconds since 1970. */
  readonly hostTimeMs?: number;
  readonly systemId?: string;
  readonly version?: string;
  /** The last lines of the runner's log, redacted. */
  readonly log: readonly string[];
}
