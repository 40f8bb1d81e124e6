import type { StackShard } from '../domain/shard.ts';

/** The machines that run `gitlab-runner`, asked by Run Command. */
export interface RunnerHost {
  /** Hosts by Name tag, with what the SSM agent's service says of them. Terminated ones are not listed. */
  list(shard: StackShard): Promise<readonly Host[]>;
  /** One look at the host: process, jobs, versions, last log lines. `silent` if it did not answer in time. */
  look(hostId: string): Promise<HostReport | { kind: 'silent'; reason: string }>;
  /** Disables the restart and sends SIGQUIT to the main process. Idempotent; says what it found. */
  quit(
    hostId: string,
  ): Promise<{ kind: 'sent' } | { kind: 'already_stopped' } | { kind: 'refused'; reason: string }>;
  /** Ends running jobs (SIGTERM). Only by an explicit `drain.force_after`. */
  kill(hostId: string): Promise<void>;
  /** Makes and removes a volume and a container named `health-check-…`. */
  probeWorkload(hostId: string): Promise<{ kind: 'worked' } | { kind: 'failed'; reason: string }>;
}

export interface Host {
  readonly id: string;
  readonly agent: 'online' | 'lost';
  readonly lastPingAt?: string;
}

export interface HostReport {
  readonly kind: 'report';
  /** The runner process. `absent`: there is no such container or unit. */
  readonly process: 'starting' | 'running' | 'quitting' | 'stopped' | 'absent' | 'unknown';
  /** Whether something would start it again after an exit. */
  readonly restarts: boolean;
  /** Lines of `/debug/jobs/list`; `undefined` where the endpoint did not answer. */
  readonly jobs: readonly string[] | undefined;
  /** `/health/ready`, for runners that have it. */
  readonly ready: 'ready' | 'not_ready' | 'not_offered';
  readonly systemId?: string;
  readonly version?: string;
  /** The last lines of the runner's log, redacted. */
  readonly log: readonly string[];
}
