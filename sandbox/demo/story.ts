import { countLate, type JudgedJob, roundSeconds } from './count/count.ts';
import type { Interval, Span, Switch } from './count/history.ts';
import type { JudgedScenes } from './count/judged.ts';
import { outcomeWords } from './count/result.ts';
import type { Counts, FinalState } from './final.ts';
import type { ShortenedWindow } from './play/paces.ts';
import type { Moment, PlayedDeployment, Scene } from './play/theatre.ts';

/** Everything that is told of a run, on the screen and in the report. */
export interface Story {
  readonly from: number;
  readonly to: number;
  readonly shards: readonly string[];
  readonly spans: readonly Span[];
  readonly switches: readonly Switch[];
  readonly scenes: readonly Scene[];
  readonly moments: readonly Moment[];
  readonly deployments: readonly PlayedDeployment[];
  readonly jobs: readonly JudgedJob[];
  readonly outlasting: number;
  readonly looks: number;
  readonly gapMs: number;
  readonly outages: readonly Interval[];
  readonly judged: JudgedScenes;
  readonly counts: Counts;
  readonly final: FinalState;
  readonly problems: readonly string[];
  readonly windows: readonly ShortenedWindow[];
}

/** How it went: of what, and in a few words. */
export function summarize(story: Story): readonly { of: string; text: string }[] {
  const { counts, final, deployments } = story;
  const { submitted, finished, lost, interrupted, longestWaitSeconds } = counts.deployments;
  return [
    {
      of: 'Deployments',
      text: `${deployments.map(({ scene, outcome }) => `${scene.toLowerCase()}: ${outcomeWords[outcome]}`).join('; ')}`,
    },
    {
      of: 'Jobs',
      text: `${submitted} submitted, ${finished} finished, ${lost} lost, ${interrupted} interrupted; ${story.outlasting} ran on across a switch${describeTries(story)}`,
    },
    {
      of: 'Longest wait',
      text: `${longestWaitSeconds}s; ${counts.control.longestWaitSeconds}s in the control run without a deployment (${counts.control.submitted} jobs); ${countLate(story.jobs)} late by a second or more`,
    },
    { of: 'Serving', text: describeServing(story) },
    { of: 'Judge', text: describeJudged(story.judged) },
    {
      of: 'At rest',
      text: `${final.activeShard ?? 'no shard'} active, ${final.aliveShards.length} alive, runner records ${final.runnerRecords}, tokens ${final.tokenShards.length}, locks ${final.locks}, record ${final.recordPhase ?? 'none'}`,
    },
  ];
}

function describeTries({ jobs }: Story): string {
  const again = jobs.filter(({ tries = 1 }) => tries > 1).length;
  return again === 0 ? '' : `; ${again} that a bad runner had failed were tried again`;
}

function describeServing({ gapMs, looks, outages, counts }: Story): string {
  if (gapMs > 0) return `no shard took jobs for ${gapMs} ms`;
  const always = `at each of ${looks} looks at least one shard took jobs`;
  const [outage] = outages;
  if (outage === undefined) return always;
  const { submitted, longestWaitSeconds } = counts.outage;
  const waited = `${submitted} job${submitted === 1 ? '' : 's'} submitted meanwhile waited ${longestWaitSeconds}s at most`;
  return `${always}, but for ${roundSeconds(outage.to - outage.from)}s after the only machine had died; ${waited}`;
}

function describeJudged({ whole, broken }: JudgedScenes): string {
  return `asked ${whole.asked} times whether a shard serves where nothing was broken: unknown ${whole.unknown}; ${broken.asked} times elsewhere: unknown ${broken.unknown}`;
}
