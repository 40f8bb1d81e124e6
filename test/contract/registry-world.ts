import type { RegistrationSettings } from '../../src/domain/settings.ts';
import type { RegistrationId, RunnerName, Shard, StackShard } from '../../src/domain/shard.ts';
import type { RegistryJob, RunnerRegistry } from '../../src/ports/registry.ts';

/** Registry with controls of its world: managers, jobs and a bad network. */
export interface RegistryWorld {
  readonly registry: RunnerRegistry;
  readonly settings: RegistrationSettings;
  /** Makes a manager with that token contact the registry for the first time and request a job. */
  contact(manager: Manager): Promise<void>;
  /**
   * Assigns a job with `tag` to the manager and leaves it in that status. Returns the job's id.
   */
  startJob(
    manager: Manager,
    /** `fresh`: so new that lists may miss it. */
    job: { tag: string; status: RegistryJob['status']; fresh?: true },
  ): Promise<string>;
  finishJob(jobId: string): Promise<void>;
  /** Methods for waiting jobs; absent if the registry does not list them. */
  readonly waits?: {
    readonly project: string;
    /** Submits a job and returns its id. */
    submit(tags: readonly string[]): Promise<string>;
  };
  /** Makes the next write take effect without a response. */
  loseNextAnswer(): void;
  /** Whether a runner can take jobs without tags. */
  readonly takesUntagged: boolean;
  /**
   * Whether the registry reports no execution status, which then counts as unknown and not as idle.
   */
  readonly hidesExecution?: boolean;
  /** Statuses that a job of this registry can have. */
  readonly jobStatuses: readonly RegistryJob['status'][];
  /** Names of two workers of one registration, the older first. */
  readonly systemIds: readonly [string, string];
  /** Makes all reads fail (`down`) or work again (`up`). */
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
