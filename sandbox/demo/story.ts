import { counted } from '../../src/domain/text/count-text.ts';
import { type CheckedJob, findLate, roundSeconds } from './count/count.ts';
import type { Interval, Span, Switch } from './count/history.ts';
import { outcomeWords } from './count/outcome.ts';
import type { CheckCounts, ScenarioChecks } from './count/scenario-checks.ts';
import { allowedMs, type Slowness } from './count/slowness.ts';
import { countStreams, type FinalState } from './final.ts';
import type { DemoMoment, DeploymentOfScenario, Scenario } from './run/demo-environment.ts';
import type { ShortenedWindow } from './run/paces.ts';

/** Data of one stack for the screen and the report. */
export interface Story {
  readonly from: number;
  readonly to: number;
  readonly shards: readonly string[];
  readonly spans: readonly Span[];
  readonly switches: readonly Switch[];
  readonly scenarios: readonly Scenario[];
  readonly moments: readonly DemoMoment[];
  readonly deployments: readonly DeploymentOfScenario[];
  readonly jobs: readonly CheckedJob[];
  readonly outlasting: number;
  readonly checkCount: number;
  readonly gapMs: number;
  readonly outages: readonly Interval[];
  readonly checks: ScenarioChecks;
  readonly final: FinalState;
  readonly problems: readonly string[];
}

/** Whole run: each stack with its scenarios, in order. */
export interface Run {
  readonly stories: readonly Story[];
  readonly windows: readonly ShortenedWindow[];
  /**
   * How many times slower than usual the computer was at the start. All periods are multiplied by
   * it.
   */
  readonly factor: number;
  readonly slowness: Slowness;
}

/** Finds late jobs, with an allowance for the computer's speed around each wait. */
export function findLateJobs(run: Run): ReturnType<typeof findLate> {
  return findLate(jobsOf(run), (job) => allowedMs(run, job));
}

export function jobsOf({ stories }: Pick<Run, 'stories'>): readonly CheckedJob[] {
  return stories.flatMap(({ jobs }) => jobs);
}

/** Lists all problems, one sentence each. Without any, the exit code is 0. */
export function problemsOf(run: Run): readonly string[] {
  const { stories } = run;
  const { late, usualMs } = findLateJobs(run);
  return [
    ...stories.flatMap(({ problems }, at) =>
      problems.map((text) => (stories.length === 1 ? text : `Stack ${at + 1}: ${text}`)),
    ),
    ...describeLate(late, usualMs),
  ];
}

/**
 * Late jobs that are listed. A slow run may have hundreds; the longest waits suffice to find the
 * cause.
 */
const mostLate = 5;

function describeLate(late: readonly CheckedJob[], usualMs: number): readonly string[] {
  const longest = late.toSorted((one, other) => other.waitMs - one.waitMs).slice(0, mostLate);
  const more = late.length - longest.length;
  return [
    ...longest.map(
      ({ kind, number, waitMs }) =>
        `Job ${kind}-${number} was late: it waited ${roundSeconds(waitMs)}s; in the control run, no job waited more than ${roundSeconds(usualMs)}s.`,
    ),
    ...(more === 0
      ? []
      : [`And ${counted(more, 'more job')} ${more === 1 ? 'was' : 'were'} late.`]),
  ];
}

export const allIsWell = '✔ No job was lost or interrupted, and nothing was left behind.';

/** Summarizes the run in short texts with labels. */
export function summarize(run: Run): readonly { of: string; text: string }[] {
  const { stories } = run;
  const jobs = jobsOf(run);
  const { deployments, control } = countStreams(jobs);
  const { submitted, finished, lost, interrupted, longestWaitSeconds } = deployments;
  const played = stories.flatMap((story) => story.deployments);
  return [
    {
      of: 'Deployments',
      text: played.map(describeDeployment).join('; '),
    },
    {
      of: 'Jobs',
      text: `${submitted} submitted, ${finished} finished, ${lost} lost, ${interrupted} interrupted; ${sum(stories, ({ outlasting }) => outlasting)} continued across a switch${describeTries(jobs)}`,
    },
    {
      of: 'Longest wait',
      text: `${longestWaitSeconds}s; without a deployment ${control.longestWaitSeconds}s (control run, ${control.submitted} jobs); ${counted(findLateJobs(run).late.length, 'job')} waited over ${run.factor}s longer than that`,
    },
    { of: 'Availability', text: describeAvailability(run) },
    { of: 'Checks', text: describeChecks(stories.map(({ checks }) => checks)) },
    {
      of: 'At the end',
      text: describeFinals(stories.map(({ final }) => final)),
    },
  ];
}

/** A scenario ends `unhealthy` or `taken_back` only if it broke the candidate and expected this. */
function describeDeployment({ scenario, outcome }: DeploymentOfScenario): string {
  const isIntended = outcome === 'unhealthy' || outcome === 'taken_back';
  return `${scenario.toLowerCase()}: ${outcomeWords[outcome]}${isIntended ? ', as intended' : ''}`;
}

/** Formats the final states, one text for all stacks that end alike. */
function describeFinals(finals: readonly FinalState[]): string {
  const texts = finals.map(describeFinal);
  return [...new Set(texts)]
    .map((text) => {
      const count = texts.filter((one) => one === text).length;
      return `${counted(count, 'stack')}${count === 1 ? '' : ', each'} with ${text}`;
    })
    .join('; ');
}

function describeFinal(final: FinalState): string {
  const counts = [
    counted(final.aliveShards.length, 'shard'),
    counted(final.runners, 'runner'),
    counted(final.tokenShards.length, 'token'),
    counted(final.locks, 'lock'),
  ];
  return `${final.activeShard ?? 'no shard'} active, ${counts.join(', ')}, record ${final.recordPhase ?? 'none'}`;
}

function sum(stories: readonly Story[], of: (story: Story) => number): number {
  return stories.reduce((total, story) => total + of(story), 0);
}

function describeTries(jobs: readonly CheckedJob[]): string {
  const again = jobs.filter(({ tries = 1 }) => tries > 1).length;
  return again === 0 ? '' : `; ${again} that a bad runner had failed were retried`;
}

function describeAvailability(run: Run): string {
  const { stories } = run;
  const gapMs = sum(stories, (story) => story.gapMs);
  if (gapMs > 0) return `no shard accepted jobs for ${gapMs} ms`;
  const always = `at least one shard accepted jobs in each of ${sum(stories, ({ checkCount: readings }) => readings)} checks by the demo`;
  const [outage] = stories.flatMap(({ outages }) => outages);
  if (outage === undefined) return always;
  const { submitted, longestWaitSeconds } = countStreams(jobsOf(run)).outage;
  const waited = `${submitted} job${submitted === 1 ? '' : 's'} submitted meanwhile waited ${longestWaitSeconds}s at most`;
  return `${always}, except for ${roundSeconds(outage.to - outage.from)}s after the only machine had died; ${waited}`;
}

function describeChecks(checks: readonly ScenarioChecks[]): string {
  const total = (of: (one: ScenarioChecks) => CheckCounts) => ({
    checkCount: checks.reduce((all, one) => all + of(one).checkCount, 0),
    unknown: checks.reduce((all, one) => all + of(one).unknown, 0),
  });
  const whole = total((one) => one.whole);
  const broken = total((one) => one.broken);
  return `by hosted-runner: ${whole.checkCount} in scenarios without a fault (${whole.unknown} inconclusive), ${broken.checkCount} in scenarios with one (${broken.unknown} inconclusive)`;
}
