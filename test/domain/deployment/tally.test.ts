import { describe, expect, test } from '@jest/globals';
import {
  costOf,
  costValues,
  describeCost,
  tellCostInBrief,
} from '../../../src/domain/deployment/cost.ts';
import {
  beginDrainTally,
  type DrainTally,
  emptyTally,
  withBroken,
  withLost,
  withSeen,
} from '../../../src/domain/deployment/tally.ts';
import { recordAt } from '../samples.ts';

const at = '2026-11-02T08:05:00.000Z';
const ids = (count: number, from = 1) => Array.from({ length: count }, (_, i) => `${from + i}`);
const jobs = (count: number, from = 1) => ids(count, from).map((id) => ({ id, url: '' }));
const begun = beginDrainTally(at);

function costs(drain: DrainTally) {
  const { deployment } = recordAt({ tally: { ...emptyTally, drain: { ...drain, settled: true } } });
  const { jobsFinished, jobsBroken, broken } = costOf(deployment, at);
  return { jobsFinished, jobsBroken, named: broken.length };
}

describe('the jobs of a drain', () => {
  test.each([1, 39, 40, 41, 100])('are counted exactly at %d jobs', (count) => {
    const expected = { jobsFinished: count, jobsBroken: 0, named: 0 };
    expect(costs(withSeen(begun, ids(count)))).toEqual(expected);
  });

  test.each([41, 100])('are counted once at %d jobs, however often they are seen', (count) => {
    const seen = ids(count);
    expect(costs(withSeen(withSeen(begun, seen), seen.slice(1))).jobsFinished).toBe(count);
  });

  test.each([42, 81])('are never fewer than the %d that broke after 41 were seen', (count) => {
    const broken = withBroken(withSeen(begun, ids(41)), jobs(count), 'killed');
    expect(costs(broken)).toEqual({ jobsFinished: 0, jobsBroken: count, named: 5 });
  });

  test.each([41, 81])('are counted once at %d jobs after their ids were dropped', (count) => {
    const dropped = { ...begun, seenBeyond: count };
    expect(withSeen(dropped, ids(count))).toBe(dropped);
  });

  test.each([5, 6, 41, 100])(
    'that broke are counted exactly at %d jobs, and five are named',
    (count) => {
      const broken = withBroken(withSeen(begun, ids(count)), jobs(count), 'killed');
      expect(costs(broken)).toEqual({ jobsFinished: 0, jobsBroken: count, named: 5 });
    },
  );

  test.each([5, 6, 41])('that broke are counted once if %d jobs are reported again', (count) => {
    const once = withBroken(withSeen(begun, ids(count)), jobs(count), 'killed');
    const twice = withLost(withBroken(once, jobs(count), 'killed'), jobs(count), 'registry_only');
    expect(costs(twice)).toEqual({ jobsFinished: 0, jobsBroken: count, named: 5 });
  });

  test('that GitLab alone lists are lost according to GitLab, not killed', () => {
    const killed = withBroken(withSeen(begun, ids(2)), jobs(2), 'killed');
    const [first, second] = withLost(killed, jobs(1, 2), 'registry_only').broken;
    expect([first?.why, second?.why]).toEqual(['killed', 'registry_only']);
  });
});

test('a count of broken jobs of which not all are named is a lower bound', () => {
  const counts = { jobsFinished: 0, longestWaitSeconds: 0, twoShardsSeconds: 5 } as const;
  const killed = { id: '7', why: 'killed' } as const;
  const told = (jobsBroken: number) =>
    describeCost({ ...counts, jobsBroken, broken: [killed] }).at(0);
  expect(told(1)).toBe('0 jobs finished while their shard drained, 1 lost or interrupted');
  expect(told(2)).toBe('0 jobs finished while their shard drained, at least 2 lost or interrupted');
});

test.each([
  [0, "no customer's job waited", 'no job waited', '0'],
  [41, "longest wait of a customer's job: 41s", 'longest wait: 41s', '41'],
  ['unknown', "longest wait of a customer's job: unknown", 'longest wait: unknown', 'unknown'],
] as const)(
  'a longest wait of %s is "%s" for people and in brief "%s"',
  (wait, told, brief, value) => {
    const counts = { jobsFinished: 0, jobsBroken: 0, broken: [], twoShardsSeconds: 5 } as const;
    const cost = { ...counts, longestWaitSeconds: wait };
    expect(describeCost(cost).at(-1)).toBe(`${told}; time with two shards: 5s`);
    const inBrief = `jobs=0 broken=0 wait=${wait === 'unknown' ? wait : `${wait}s`} two_shards=5s`;
    expect(tellCostInBrief(inBrief)).toContain(`; ${brief}; `);
    expect(costValues(cost).longest_wait_seconds).toBe(value);
  },
);
