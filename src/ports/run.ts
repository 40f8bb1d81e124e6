import type { DeploymentId } from '../domain/shard.ts';
import type { Effects } from './effect.ts';

/** CI or terminal of this process: its identity and its deadline. */
export interface Run {
  readonly ci: 'gitlab' | 'github' | 'terminal';
  readonly deploymentId: DeploymentId;
  /** ISO 8601: creation of the pipeline. Orders pipelines; an older one is superseded. */
  readonly pipelineCreatedAt: string;
  readonly pipelineUrl?: string;
  /** Commit of the repository, as the CI reports it: at most 64 hexadecimal digits. */
  readonly commit?: string;
  /** Identifies one run of one stage, such as the CI job's id. */
  readonly jobId: string;
  /** Name of the user or bot, as the CI reports it. */
  readonly by: string;
  /** The runner that runs this job, if the CI reports it. */
  readonly ownRegistrationId?: string;
  /** Milliseconds since 1970 at which the CI ends this job. */
  readonly deadline?: number;
  /** Time limit of such a job from its start, regardless of the time left. */
  readonly timeLimitMs?: number;
}

/**
 * Returns the CI of an id: GitLab's consist of two numbers, GitHub's contain a slash. All others
 * have no CI.
 */
export function ciOf(deploymentId: string): Run['ci'] {
  if (deploymentId.includes('/')) return 'github';
  return /^\d+-\d+(?:-[a-z]+(?:-\d+)?)*$/.test(deploymentId) ? 'gitlab' : 'terminal';
}

/** Returns the creation time (ISO 8601) that a terminal's id contains; undefined for other ids. */
export function creationOf(deploymentId: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^terminal-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-[a-z0-9]{4}$/.exec(deploymentId) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Processes of this machine, to prove that the holder of a lock runs or has ended. */
export interface ProcessTable {
  /** Identity of this process, which differs from that of a later process with an equal pid. */
  readonly self: string;
  /** Name of the machine, for operators. */
  readonly host: string;
  /** Returns the identity of another process of this machine; undefined if it cannot be read. */
  identify(pid: number): string | undefined;
  /** Reads the state; `unknown` for a process of another machine, container or boot. */
  isAlive(identity: string): 'alive' | 'dead' | 'unknown';
  /** Returns the process; undefined if it has ended or is not on this machine. */
  find(identity: string): FoundProcess | undefined;
}

export interface FoundProcess {
  readonly pid: number;
  /** Stopped by Ctrl-Z or a signal: it keeps its locks, and does nothing until it is resumed. */
  readonly isStopped: boolean;
}

export const processEffects = {
  identify: 'remembers',
  isAlive: 'remembers',
  find: 'remembers',
} as const satisfies Effects<ProcessTable>;
