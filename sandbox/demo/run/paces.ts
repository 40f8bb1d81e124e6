import type { ConfiguredWindows } from '../../configuration.ts';
import type { GitHubWindows } from '../../github/instance.ts';
import type { Behaviour } from '../../hosts/behaviour.ts';
import type { SandboxWindows } from '../../options.ts';

/** Periods that the demo itself chooses. */
export interface Paces {
  readonly windows: Partial<SandboxWindows>;
  readonly github: Partial<GitHubWindows>;
  readonly behaviour: Partial<Behaviour>;
  readonly configuration: ConfiguredWindows;
  readonly submitEveryMs: number;
  /** Number of short jobs per long job. */
  readonly longEvery: number;
  readonly shortJobMs: number;
  /** Duration of a long job. It exceeds a `provision`, so the job outlasts the switch. */
  readonly longJobMs: number;
  readonly controlMs: number;
  /** Time for the last jobs to end, in addition to their own duration. */
  readonly graceMs: number;
}

/**
 * Shortest period. Below it, the computer is only busier: every check and every job is a process.
 */
const leastMs = 250;

/**
 * Formats the demo's duration. docs/use/demo.md and CONTRIBUTING.md state it for the usual speed.
 */
export function formatTempo({ speed, factor, all }: Tempo & { readonly all: boolean }): string {
  const usual = all ? 'It takes about two minutes' : 'It takes about a minute';
  const faster = speed === 1 ? '' : `; this one runs ${speed} times as fast`;
  return `${usual}, longer on a busy computer${faster}.${formatFactor(factor)}`;
}

function formatFactor(factor: number): string {
  return factor === 1
    ? ''
    : ` This computer is now ${factor} times slower than usual (measured): every period below is ${stretchOf(factor)} times as long.`;
}

/** Longest stretch of periods. The demo mostly waits, so more does not help a slower computer. */
const mostStretch = 4;

function stretchOf(factor: number): number {
  return Math.min(mostStretch, factor);
}

/** Speed of the demo's time. */
export interface Tempo {
  /** Value of `--speed`. */
  readonly speed: number;
  /** How many times slower this computer is than a usual one. At least 1. */
  readonly factor: number;
}

export function choosePaces(
  { speed, factor }: Tempo,
  runners: 'gitlab' | 'github' = 'gitlab',
): Paces {
  const stretch = stretchOf(factor);
  const pace = (ms: number) => Math.round(Math.max(leastMs, ms / speed) * stretch);
  return {
    windows: { recreateAfterMs: pace(400), agentSeenOnlineMs: pace(1000) },
    github: { busyLagMs: pace(2500) },
    behaviour: {
      agentDelayMs: pace(500),
      checkIntervalMs: pace(500),
      traceIntervalMs: pace(3000),
      // This is twice the customers' peak: no job waits for a slot of a slow computer.
      concurrent: 16,
    },
    configuration: {
      // A candidate boots at the computer's speed, whatever the demo's speed.
      healthcheckTimeoutMs: Math.max(120_000 * stretch, pace(120_000)),
      healthcheckPollMs: pace(300),
      pollOfRunnerMs: pace(1000),
      confirmationMs: pace(3000),
      drainPollMs: pace(300),
      servicePollMs: pace(1000),
    },
    // Three GitHub runners accept three jobs at once, one GitLab runner accepts sixteen.
    submitEveryMs: pace(runners === 'github' ? 1600 : 1200),
    longEvery: runners === 'github' ? 8 : 5,
    shortJobMs: pace(1000),
    longJobMs: pace(10_000),
    controlMs: pace(8000),
    // `--speed` does not apply, because it makes the computer no faster.
    graceMs: Math.round(15_000 * factor),
  };
}

export interface ShortenedWindow {
  readonly what: string;
  readonly here: string;
  readonly inProduction: string;
}

/** Lists the shortened periods with their values in production. */
export function shortenedWindows({
  windows,
  behaviour,
  configuration,
}: Paces): readonly ShortenedWindow[] {
  const row = (what: string, ms: number | undefined, inProduction: string) => ({
    what,
    here: formatSeconds(ms ?? 0),
    inProduction,
  });
  return [
    row('a runner polls for jobs every', behaviour.checkIntervalMs, '3s'),
    row('a runner sends a running job’s log every', behaviour.traceIntervalMs, '60s'),
    row('a deleted parameter frees its name after', windows.recreateAfterMs, '30s'),
    row('a lost agent still appears online for', windows.agentSeenOnlineMs, '5m'),
    row('drain.poll_of_runner', configuration.pollOfRunnerMs, '55s'),
    row('drain.confirmation', configuration.confirmationMs, '2m'),
    row('drain.poll', configuration.drainPollMs, '1.5s'),
    row('drain.service_poll', configuration.servicePollMs, '60s'),
    row('healthcheck.poll', configuration.healthcheckPollMs, '5s'),
    row('healthcheck.timeout', configuration.healthcheckTimeoutMs, '15m'),
    row('a host boots within', 500, 'a minute or two'),
    row('its SSM agent registers after', behaviour.agentDelayMs, 'half a minute or more'),
    row('a shard of 13 resources is built in', 13 * 20, 'minutes'),
    row('runner system failures count once within', 0, '60s'),
  ];
}

/** Formats all of them in one line, each with its value in production. */
export function describeShortened(windows: readonly ShortenedWindow[]): string {
  const each = windows.map(({ what, here, inProduction }) => `${what} ${here} (${inProduction})`);
  return `Shortened for the demo (with the production value): ${each.join('; ')}.`;
}

/** Formats seconds as `0.4s` or `30s`. */
export function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10}s`;
}
