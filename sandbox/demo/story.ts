import { counted } from '../../src/domain/text/count-text.ts';
import { findLate, type JudgedJob, roundSeconds } from './count/count.ts';
import type { Interval, Span, Switch } from './count/history.ts';
import type { Judged, JudgedScenarios } from './count/judged.ts';
import { outcomeWords } from './count/outcome.ts';
import { allowedMs, type Slowness } from './count/slowness.ts';
import { countStreams, type FinalState } from './final.ts';
import type { DemoMoment, DeploymentOfScenario, Scenario } from './run/demo-environment.ts';
import type { ShortenedWindow } from './run/paces.ts';

/** Everything that is told of one stack, on the screen and in the report. */
export interface Story {
  readonly from: number;
  readonly to: number;
  readonly shards: readonly string[];
  readonly spans: readonly Span[];
  readonly switches: readonly Switch[];
  readonly scenarios: readonly Scenario[];
  readonly moments: readonly DemoMoment[];
  readonly deployments: readonly DeploymentOfScenario[];
  readonly jobs: readonly JudgedJob[];
  readonly outlasting: number;
  readonly looks: number;
  readonly gapMs: number;
  readonly outages: readonly Interval[];
  readonly judged: JudgedScenarios;
  readonly final: FinalState;
  readonly problems: readonly string[];
}

/** A whole run: each stack with its own scenarios, in the order of the scenarios. */
export interface Run {
  readonly stories: readonly Story[];
  readonly windows: readonly ShortenedWindow[];
  /** How many times slower than usual the computer was when it began; the periods are as many times longer. */
  readonly factor: number;
  readonly slowness: Slowness;
}

/** Judges each job by how slow the computer was around its wait. */
export function findLateJobs(run: Run): ReturnType<typeof findLate> {
  return findLate(jobsOf(run), (job) => allowedMs(run, job));
}

export function jobsOf({ stories }: Pick<Run, 'stories'>): readonly JudgedJob[] {
  return stories.flatMap(({ jobs }) => jobs);
}

/** Whatever is wrong, in a sentence each; nothing means exit code 0. */
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

/** A slow run can have hundreds: the longest waits are enough to find the cause. */
const mostLate = 5;

function describeLate(late: readonly JudgedJob[], usualMs: number): readonly string[] {
  const longest = late.toSorted((one, other) => other.waitMs - one.waitMs).slice(0, mostLate);
  const more = late.length - longest.length;
  return [
    ...longest.map(
      ({ kind, number, waitMs }) =>
        `Job ${kind}-${number} was late: it waited ${roundSeconds(waitMs)}s, in the control run no job more than ${roundSeconds(usualMs)}s.`,
    ),
    ...(more === 0
      ? []
      : [`And ${counted(more, 'more job')} ${more === 1 ? 'was' : 'were'} late.`]),
  ];
}

export const allIsWell = '✔ No job was lost or interrupted, and nothing was left behind.';

/** How it went: of what, and in a few words. */
export function summarize(run: Run): readonly { of: string; text: string }[] {
  const { stories } = run;
  const jobs = jobsOf(run);
  const { deployments, control } = countStreams(jobs);
  const { submitted, finished, lost, interrupted, longestWaitSeconds } = deployments;
  const played = stories.flatMap((story) => story.deployments);
  return [
    {
      of: 'Deployments',
      text: `${played.map(({ scenario, outcome }) => `${scenario.toLowerCase()}: ${outcomeWords[outcome]}`).join('; ')}`,
    },
    {
      of: 'Jobs',
      text: `${submitted} submitted, ${finished} finished, ${lost} lost, ${interrupted} interrupted; ${sum(stories, ({ outlasting }) => outlasting)} ran on across a switch${describeTries(jobs)}`,
    },
    {
      of: 'Longest wait',
      text: `${longestWaitSeconds}s; ${control.longestWaitSeconds}s in the control run without a deployment (${control.submitted} jobs); ${findLateJobs(run).late.length} late by ${run.factor}s or more`,
    },
    { of: 'Serving', text: describeServing(run) },
    { of: 'Judge', text: describeJudged(stories.map(({ judged }) => judged)) },
    {
      of: 'At rest',
      text: describeFinals(stories.map(({ final }) => final)),
    },
  ];
}

/** One for all of them if they do not differ but in the shard that is active. */
function describeFinals(finals: readonly FinalState[]): string {
  const told = [...new Set(finals.map(describeFinal))];
  const active = finals.map(({ activeShard }) => activeShard ?? 'no shard').join(', ');
  const each = finals.length === 1 ? '' : 'on each stack ';
  return `${active} active, ${each}${told.join('; ')}`;
}

function describeFinal(final: FinalState): string {
  return `${final.aliveShards.length} alive, runner records ${final.runnerRecords}, tokens ${final.tokenShards.length}, locks ${final.locks}, record ${final.recordPhase ?? 'none'}`;
}

function sum(stories: readonly Story[], of: (story: Story) => number): number {
  return stories.reduce((total, story) => total + of(story), 0);
}

function describeTries(jobs: readonly JudgedJob[]): string {
  const again = jobs.filter(({ tries = 1 }) => tries > 1).length;
  return again === 0 ? '' : `; ${again} that a bad runner had failed were tried again`;
}

function describeServing(run: Run): string {
  const { stories } = run;
  const gapMs = sum(stories, (story) => story.gapMs);
  if (gapMs > 0) return `no shard took jobs for ${gapMs} ms`;
  const always = `at each of ${sum(stories, ({ looks }) => looks)} looks at least one shard took jobs`;
  const [outage] = stories.flatMap(({ outages }) => outages);
  if (outage === undefined) return always;
  const { submitted, longestWaitSeconds } = countStreams(jobsOf(run)).outage;
  const waited = `${submitted} job${submitted === 1 ? '' : 's'} submitted meanwhile waited ${longestWaitSeconds}s at most`;
  return `${always}, but for ${roundSeconds(outage.to - outage.from)}s after the only machine had died; ${waited}`;
}

function describeJudged(judged: readonly JudgedScenarios[]): string {
  const total = (of: (one: JudgedScenarios) => Judged) => ({
    asked: judged.reduce((all, one) => all + of(one).asked, 0),
    unknown: judged.reduce((all, one) => all + of(one).unknown, 0),
  });
  const whole = total((one) => one.whole);
  const broken = total((one) => one.broken);
  return `asked ${whole.asked} times whether a shard serves where nothing was broken: unknown ${whole.unknown}; ${broken.asked} times elsewhere: unknown ${broken.unknown}`;
}
