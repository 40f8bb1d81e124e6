import type { DeploymentId } from '../domain/shard.ts';
import type { Effects } from './effect.ts';

/** The CI (or terminal) that this process runs in: who we are and by when we have to stop. */
export interface Run {
  readonly ci: 'gitlab' | 'github' | 'terminal';
  readonly deploymentId: DeploymentId;
  /** ISO 8601: when the pipeline was created. Orders pipelines; an older one is superseded. */
  readonly pipelineCreatedAt: string;
  readonly pipelineUrl?: string;
  /** Of the repository, as the CI says it: hexadecimal digits, at most 64. */
  readonly commit?: string;
  /** Names one run of one stage, e.g. the CI job's id. */
  readonly jobId: string;
  /** A person's or bot's name as the CI gives it. */
  readonly by: string;
  /** The runner record that runs this very job, where the CI says it. */
  readonly ownRegistrationId?: string;
  /** Milliseconds since 1970 at which the CI ends this job. */
  readonly deadline?: number;
  /** How long such a job may last from its start, whatever is left of this one. */
  readonly timeLimitMs?: number;
}

/** Ids of GitLab are two numbers, those of GitHub have a slash; of any other there is no CI to ask. */
export function ciOf(deploymentId: string): Run['ci'] {
  if (deploymentId.includes('/')) return 'github';
  return /^\d+-\d+(?:-[a-z]+(?:-\d+)?)*$/.test(deploymentId) ? 'gitlab' : 'terminal';
}

/** ISO 8601. An id that we made ourselves at a terminal states when; of any other it is not known. */
export function creationOf(deploymentId: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^terminal-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-[a-z0-9]{4}$/.exec(deploymentId) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Proof that a process lives, for locks left behind on the same machine. */
export interface ProcessTable {
  /** Names this process so that `isAlive` can tell it from a later one with the same pid. */
  readonly self: string;
  /** The machine's name, for people. */
  readonly host: string;
  /** The same name for another process of this machine; undefined where it cannot be told. */
  identify(pid: number): string | undefined;
  /** `unknown` for a process of another machine, container or boot. */
  isAlive(identity: string): 'alive' | 'dead' | 'unknown';
  /** By which number a person finds it here; undefined of one that has ended or is not of this machine. */
  find(identity: string): FoundProcess | undefined;
}

export interface FoundProcess {
  readonly pid: number;
  /** By Ctrl-Z or a signal: it holds what it has, and does nothing until it is told to go on. */
  readonly isStopped: boolean;
}

export const processEffects = {
  identify: 'remembers',
  isAlive: 'remembers',
  find: 'remembers',
} as const satisfies Effects<ProcessTable>;
