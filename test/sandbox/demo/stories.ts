import type { CheckedJob } from '../../../sandbox/demo/count/count.ts';
import type { Reading, ShardState } from '../../../sandbox/demo/stack-reading.ts';
import type { Run, Story } from '../../../sandbox/demo/story.ts';

/** Returns a check at `at` with these states. A shard with `active` or `serving` accepts jobs. */
export function checkAt(
  at: number,
  shards: Record<string, ShardState>,
  more: Partial<Reading> = {},
): Reading {
  const taking = Object.keys(shards).filter((shard) =>
    ['active', 'serving'].includes(shards[shard] ?? ''),
  );
  const active = Object.keys(shards).find((shard) => shards[shard] === 'active');
  return { at, shards, taking, active, registrations: {}, ...more };
}

export function finishedJob(more: Partial<CheckedJob> = {}): CheckedJob {
  return {
    number: 1,
    ciJobId: 900001,
    kind: 'short',
    stream: 'deployments',
    submittedAt: 1000,
    startedAt: 1400,
    endedAt: 2400,
    waitMs: 400,
    shard: 'pink',
    verdict: 'finished',
    ...more,
  };
}

export function smallStory(more: Partial<Story> = {}): Story {
  return {
    from: 0,
    to: 30_000,
    shards: ['pink', 'purple'],
    spans: [
      { shard: 'pink', state: 'active', from: 0, to: 15_000 },
      { shard: 'purple', state: 'building', from: 2000, to: 5000 },
      { shard: 'purple', state: 'quarantine', from: 5000, to: 15_000 },
      { shard: 'purple', state: 'active', from: 15_000, to: 30_000 },
      { shard: 'pink', state: 'draining', from: 15_000, to: 25_000 },
    ],
    switches: [{ at: 15_000, from: 'pink', to: 'purple' }],
    scenarios: [{ title: 'Second deployment', number: 1, from: 0, to: 30_000 }],
    moments: [{ at: 16_000, text: 'SIGKILL (draining)' }],
    deployments: [
      {
        scenario: 'Second deployment',
        id: 'terminal-1',
        candidate: 'purple',
        outcome: 'done',
        seconds: 30,
        overlapSeconds: 0.5,
      },
    ],
    jobs: [finishedJob()],
    outlasting: 0,
    checkCount: 600,
    gapMs: 0,
    outages: [],
    checks: { whole: { checkCount: 7, unknown: 0 }, broken: { checkCount: 0, unknown: 0 } },
    final: {
      activeShard: 'purple',
      aliveShards: ['purple'],
      runners: 1,
      expectedRecords: 1,
      tokenShards: ['purple'],
      locks: 0,
      recordPhase: 'done',
    },
    problems: [],
    ...more,
  };
}

/** Returns the run of one stack. */
export function runOf(story: Story): Run {
  return {
    stories: [story],
    windows: [{ what: 'drain.poll', here: '0.3s', inProduction: '10s' }],
    factor: 1,
    slowness: { starts: [], stalls: [] },
  };
}

export const smallRun = (more: Partial<Story> = {}) => runOf(smallStory(more));

/**
 * Returns a story of several minutes: wider than a page, with scenarios, switches, and consecutive
 * faults.
 */
export function longStory(): Story {
  const second = 1000;
  const titles = ['First deployment', 'Control: no deployment', 'Second deployment', 'Recovery'];
  const scenarios = titles.map((title, at) => ({
    title,
    number: at + 1,
    from: at * 10 * second,
    to: (at === 3 ? 240 : (at + 1) * 10) * second + 1,
  }));
  const jobs = Array.from({ length: 150 }, (_, at) => ({
    ...finishedJob({ number: at + 1, kind: at % 5 === 0 ? ('long' as const) : ('short' as const) }),
    shard: at % 2 === 0 ? 'pink' : 'purple',
    startedAt: at * 1500,
    endedAt: at * 1500 + (at % 5 === 0 ? 10 * second : 900),
  }));
  const to = 240 * second + 1;
  return smallStory({
    to,
    scenarios,
    jobs,
    spans: [
      { shard: 'pink', state: 'active', from: 0, to: 90 * second },
      { shard: 'pink', state: 'draining', from: 90 * second, to: 110 * second },
      { shard: 'purple', state: 'building', from: 70 * second, to: 80 * second },
      { shard: 'purple', state: 'active', from: 80 * second, to },
    ],
    switches: [80, 84, 238].map((at) => ({ at: at * second, from: 'pink', to: 'purple' })),
    moments: [
      { at: 60 * second, text: 'SIGKILL (promoting)' },
      ...Array.from({ length: 17 }, (_, at) => ({
        at: (150 + at * 3) * second,
        text: `Job ${at + 280} fails`,
      })),
    ],
  });
}
