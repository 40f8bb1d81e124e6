import type { Admit } from './aws/access/authorization.ts';
import type { GitHubWindows } from './github/instance.ts';
import type { RateLimitsOf } from './gitlab/answers/rate-limits.ts';
import type { GitLabVersion } from './gitlab/answers/versions.ts';
import type { Behaviour } from './hosts/behaviour.ts';
import type { SandboxRandom } from './surroundings/random.ts';

export interface SandboxOptions {
  /** Everything that is kept lies here. */
  folder: string;
  /**
   * What starts our program: its executable and file. `sandbox manager` is appended for a child
   * process, so that `[process.execPath, 'dist/index.js']` becomes a runner manager.
   */
  program: readonly string[];
  /** Whose runners its configuration deploys; GitLab's when absent. */
  runners?: 'gitlab' | 'github' | undefined;
  /** The search path of everything that runs in the sandbox. */
  searchPath: string;
  /** A released gitlab-runner for the machines, in the place of our manager. */
  runnerBinary?: string | undefined;
  /** 0 or absent: the one of the last time, or any that is free. */
  port?: number | undefined;
  ssmPort?: number | undefined;
  /** Parameter Store at an emulator's address. */
  forwardSsm?: string | undefined;
  random?: SandboxRandom | undefined;
  /** GitLab.com's published limits or an instance's defaults; without them it takes everything, as an instance of one's own does. */
  rateLimits?: RateLimitsOf | undefined;
  /** The newest when absent. */
  gitlabVersion?: GitLabVersion | undefined;
  /** How long a request for a job is held; 0 answers at once. */
  longPollMs?: number | undefined;
  realNow?: (() => number) | undefined;
  windows?: Partial<SandboxWindows> | undefined;
  github?: Partial<GitHubWindows> | undefined;
  /** Of every stack that is not told otherwise. */
  behaviour?: Partial<Behaviour> | undefined;
  /** What IAM says of each call; without it everybody may everything. */
  admit?: Admit | undefined;
  /** Ends in a slash; the token is at `{prefix}{runner_name}/{shard}/runner_token`. */
  parameterPrefix?: string | undefined;
}

/** Times and limits of AWS, and of Prometheus. What a demonstration shortens of them, it has to say. */
export interface SandboxWindows {
  /** A deleted parameter's name cannot be created again before. */
  recreateAfterMs: number;
  /** A command is unknown this long after it was sent. */
  commandVisibleAfterMs: number;
  parameterReadsPerSecond: number;
  /** With a burst of ten; 0 takes everything. */
  parameterWritesPerSecond: number;
  /** How far behind a read of Parameter Store may be; every other one is. */
  readsLagMs: number;
  /** A write of the same name is `TooManyUpdates` within this long after another one. */
  updateMs: number;
  /** An instance is unknown this long after its launch, and has no tags for as long again. */
  ec2LagMs: number;
  /** A lost agent, also of a machine that is off, is still said to be online. */
  agentSeenOnlineMs: number;
  /** When a command that no agent fetches is given up; after its delivery and its execution time if absent. */
  undeliveredAfterMs?: number | undefined;
  /** Prometheus knows a number that has changed with its next scrape. */
  scrapeMs: number;
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
};

/** An AWS that shows at once what is so, for who is not interested in its delays. */
export const promptAws = {
  readsLagMs: 0,
  updateMs: 0,
  ec2LagMs: 0,
  agentSeenOnlineMs: 0,
  undeliveredAfterMs: 30_000,
  scrapeMs: 0,
} as const satisfies Partial<SandboxWindows>;

export const usualParameterPrefix = '/gitlab/dedicated/runner/';
