import type { JudgedJob } from '../../../sandbox/demo/count/count.ts';
import type { Look, ShardState } from '../../../sandbox/demo/look.ts';
import type { Story } from '../../../sandbox/demo/story.ts';

/** A look at `at` that sees these states; who is active or serving takes jobs. */
export function look(
  at: number,
  shards: Record<string, ShardState>,
  more: Partial<Look> = {},
): Look {
  const taking = Object.keys(shards).filter((shard) =>
    ['active', 'serving'].includes(shards[shard] ?? ''),
  );
  const active = Object.keys(shards).find((shard) => shards[shard] === 'active');
  return { at, shards, taking, active, registrations: {}, ...more };
}

export function finishedJob(more: Partial<JudgedJob> = {}): JudgedJob {
  return {
    number: 1,
    forgeId: 900001,
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
  const counts = { submitted: 1, finished: 1, lost: 0, interrupted: 0, longestWaitSeconds: 0.4 };
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
    scenes: [{ title: 'Second deployment', from: 0, to: 30_000 }],
    moments: [{ at: 16_000, text: 'SIGKILL (draining)' }],
    deployments: [
      {
        scene: 'Second deployment',
        id: 'terminal-1',
        candidate: 'purple',
        outcome: 'done',
        seconds: 30,
        overlapSeconds: 0.5,
      },
    ],
    jobs: [finishedJob()],
    outlasting: 0,
    looks: 600,
    gapMs: 0,
    outages: [],
    judged: { whole: { asked: 7, unknown: 0 }, broken: { asked: 0, unknown: 0 } },
    counts: {
      deployments: counts,
      control: { ...counts, longestWaitSeconds: 0.3 },
      outage: { submitted: 0, finished: 0, lost: 0, interrupted: 0, longestWaitSeconds: 0 },
    },
    final: {
      activeShard: 'purple',
      aliveShards: ['purple'],
      runnerRecords: 1,
      expectedRecords: 1,
      tokenShards: ['purple'],
      locks: 0,
      recordPhase: 'done',
    },
    problems: [],
    windows: [{ what: 'drain.poll', here: '0.3s', inProduction: '10s' }],
    ...more,
  };
}
