import type { RegistrationSettings } from '../../src/domain/settings.ts';
import type { RegistrationId, RunnerName, Shard, StackShard } from '../../src/domain/shard.ts';
import type { RegistryJob, RunnerRegistry } from '../../src/ports/registry.ts';

/** A registry with the hands of the world around it: managers, jobs and a bad network. */
export interface RegistryWorld {
  readonly registry: RunnerRegistry;
  readonly settings: RegistrationSettings;
  /** A manager with that token contacts for the first time, and asks for a job. */
  contact(manager: Manager): Promise<void>;
  /** Gives a job that wants `tag` to the manager and leaves it in that status; its id. */
  startJob(
    manager: Manager,
    /** `fresh`: so new that no list has to show it. */
    job: { tag: string; status: RegistryJob['status']; fresh?: true },
  ): Promise<string>;
  finishJob(jobId: string): Promise<void>;
  /** Jobs that nobody takes yet; absent where the registry does not list what waits. */
  readonly waits?: {
    readonly project: string;
    /** Its id. */
    submit(tags: readonly string[]): Promise<string>;
  };
  /** The next write takes effect, but its answer never arrives. */
  loseNextAnswer(): void;
  /** Whether a runner can take jobs that ask for no tag. */
  readonly takesUntagged: boolean;
  /** It never says whether a runner executes jobs: that is unknown then, and not idle. */
  readonly silentOnExecution?: boolean;
  /** Statuses that a job of this registry can be seen in. */
  readonly jobStatuses: readonly RegistryJob['status'][];
  /** Names of two workers of one registration, the first one the older. */
  readonly systemIds: readonly [string, string];
  /** From now on no read is answered (`down`), or all are again (`up`). */
  setReads(state: 'down' | 'up'): void;
  close(): void | Promise<void>;
}

export interface Manager {
  readonly registrationId: RegistrationId;
  readonly token: string;
  readonly systemId: string;
}

export function stackShard(shard: string, runnerName: string): StackShard {
  return { shard: shard as Shard, runnerName: runnerName as RunnerName };
}
