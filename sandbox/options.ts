import type { Admit } from './aws/access/authorization.ts';
import type { GitHubWindows } from './github/instance.ts';
import type { RateLimitsOf } from './gitlab/answers/rate-limits.ts';
import type { GitLabVersion } from './gitlab/answers/versions.ts';
import type { Behaviour } from './hosts/behaviour.ts';
import type { SandboxRandom } from './surroundings/random.ts';

export interface SandboxOptions {
  /** Folder for all stored data. */
  folder: string;
  /**
   * Executable and file that start the program. For a child process, `sandbox manager` is appended:
   * `[process.execPath, 'dist/index.js']` becomes a runner manager.
   */
  program: readonly string[];
  /** Kind of runners in the generated configuration. Default: GitLab's. */
  runners?: 'gitlab' | 'github' | undefined;
  /** PATH of all processes in the sandbox. */
  searchPath: string;
  /** Released gitlab-runner that replaces the sandbox's manager on the machines. */
  runnerBinary?: string | undefined;
  /** Port. 0 or absent: the last one, or any free one. */
  port?: number | undefined;
  ssmPort?: number | undefined;
  /** Address of an emulator that provides Parameter Store. */
  forwardSsm?: string | undefined;
  random?: SandboxRandom | undefined;
  /**
   * GitLab.com's published limits or an instance's defaults. Absent: no limits, like a self-managed
   * instance by default.
   */
  rateLimits?: RateLimitsOf | undefined;
  /** Default: the newest version. */
  gitlabVersion?: GitLabVersion | undefined;
  /** Time for which a job request is held. 0: no hold. */
  longPollMs?: number | undefined;
  realNow?: (() => number) | undefined;
  windows?: Partial<SandboxWindows> | undefined;
  github?: Partial<GitHubWindows> | undefined;
  /** Behaviour of every stack without its own setting. */
  behaviour?: Partial<Behaviour> | undefined;
  /** IAM's decision about each call. Absent: everything is allowed. */
  admit?: Admit | undefined;
  /**
   * Prefix that ends with a slash. The token's name is
   * `{prefix}{runner_name}/{shard}/runner_token`.
   */
  parameterPrefix?: string | undefined;
}

/** Delays and limits of AWS and Prometheus. The demo must state which of them it shortens. */
export interface SandboxWindows {
  /** Time until a deleted parameter's name can be created again. */
  recreateAfterMs: number;
  /** Time for which a new command is unknown. */
  commandVisibleAfterMs: number;
  parameterReadsPerSecond: number;
  /** Limit of writes, with a burst of ten. 0: no limit. */
  parameterWritesPerSecond: number;
  /** Delay of a read of Parameter Store, which applies to about half of the reads. */
  readsLagMs: number;
  /** Time after a write in which another write of the same name gets `TooManyUpdates`. */
  updateMs: number;
  /** Time for which a new instance is unknown, and afterwards without tags. */
  ec2LagMs: number;
  /** Time for which a lost agent is still reported as online, also if its machine is off. */
  agentSeenOnlineMs: number;
  /**
   * Time until an undelivered command expires. Default: its delivery timeout plus its execution
   * timeout.
   */
  undeliveredAfterMs?: number | undefined;
  /** Interval of scrapes. Prometheus knows a changed number from the next scrape on. */
  scrapeMs: number;
  /** Maximum session duration of the roles, an hour in AWS unless the role sets another one. */
  longestSessionSeconds: number;
}

export const usualWindows: SandboxWindows = {
  recreateAfterMs: 30_000,
  commandVisibleAfterMs: 150,
  parameterReadsPerSecond: 40,
  parameterWritesPerSecond: 3,
  readsLagMs: 200,
  updateMs: 10,
  ec2LagMs: 500,
  agentSeenOnlineMs: 300_000,
  scrapeMs: 15_000,
  longestSessionSeconds: 3600,
};

/** Settings for an AWS without delays. */
export const promptAws = {
  readsLagMs: 0,
  updateMs: 0,
  ec2LagMs: 0,
  agentSeenOnlineMs: 0,
  undeliveredAfterMs: 30_000,
  scrapeMs: 0,
} as const satisfies Partial<SandboxWindows>;

export const usualParameterPrefix = '/gitlab/dedicated/runner/';
