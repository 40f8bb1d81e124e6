import { describe, expect, test } from '@jest/globals';
import {
  costInBrief,
  costOf,
  costValues,
  describeCost,
  formatCostInBrief,
  formatJobCounts,
} from '../../../src/domain/deployment/cost.ts';
import {
  areSettled,
  beginDrainTally,
  type DrainTally,
  emptyTally,
  withBroken,
  withJobs,
  withLost,
} from '../../../src/domain/deployment/tally.ts';
import { storedTally, tallyFromStored } from '../../../src/stages/record/tally-format.ts';
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
  test.each([1, 39, 40, 41, 100])('count exactly at %d jobs', (count) => {
    const expected = { jobsFinished: count, jobsBroken: 0, named: 0 };
    expect(costs(withJobs(begun, ids(count)))).toEqual(expected);
  });

  test.each([41, 100])('count once at %d jobs, however often they are seen', (count) => {
    const seen = ids(count);
    expect(costs(withJobs(withJobs(begun, seen), seen.slice(1))).jobsFinished).toBe(count);
  });

  test.each([42, 81])('include all %d jobs that broke after 41 jobs were seen', (count) => {
    const broken = withBroken(withJobs(begun, ids(41)), jobs(count), 'killed');
    expect(costs(broken)).toEqual({ jobsFinished: 0, jobsBroken: count, named: 5 });
  });

  test.each([41, 81])('count once at %d jobs after their ids were dropped', (count) => {
    const dropped = { ...begun, seenBeyond: count };
    expect(withJobs(dropped, ids(count))).toBe(dropped);
  });

  test.each([5, 6, 41, 100])('count exactly if %d of them broke, and five are named', (count) => {
    const broken = withBroken(withJobs(begun, ids(count)), jobs(count), 'killed');
    expect(costs(broken)).toEqual({ jobsFinished: 0, jobsBroken: count, named: 5 });
  });

  test.each([5, 6, 41])('count once if %d broken ones are reported again', (count) => {
    const once = withBroken(withJobs(begun, ids(count)), jobs(count), 'killed');
    const twice = withLost(withBroken(once, jobs(count), 'killed'), jobs(count), 'registry_only');
    expect(costs(twice)).toEqual({ jobsFinished: 0, jobsBroken: count, named: 5 });
  });

  test('count as lost according to GitLab, not as killed, if GitLab alone lists them', () => {
    const killed = withBroken(withJobs(begun, ids(2)), jobs(2), 'killed');
    const [first, second] = withLost(killed, jobs(1, 2), 'registry_only').broken;
    expect([first?.why, second?.why]).toEqual(['killed', 'registry_only']);
  });
});

test('read as "at least" if not every broken job is named', () => {
  const counts = { jobsFinished: 0, longestWaitSeconds: 0, twoShardsSeconds: 5 } as const;
  const killed = { id: '7', why: 'killed' } as const;
  const formatBroken = (jobsBroken: number) =>
    describeCost({ ...counts, jobsBroken, broken: [killed] }).at(0);
  expect(formatBroken(1)).toBe('0 jobs finished while their shard drained, 1 lost or interrupted');
  expect(formatBroken(2)).toBe(
    '0 jobs finished while their shard drained, at least 2 lost or interrupted',
  );
});

describe('jobs that a drain has counted as lost according to GitLab', () => {
  const later = (count: number, settled = true) => {
    const lost = withLost(withJobs(begun, ids(count)), jobs(count), 'registry_only');
    return tallyFromStored(storedTally({ ...emptyTally, drain: { ...lost, settled } })).drain;
  };

  test.each([1, 5, 6, 40])('remain known to a later run at %d jobs', (count) => {
    expect(areSettled(jobs(count), later(count))).toBe(true);
    expect(areSettled(jobs(1, count), later(count))).toBe(true);
  });

  test.each([1, 5, 6, 40])(
    'do not include a job that the drain did not see, at %d jobs',
    (count) => {
      expect(areSettled(jobs(1, count + 1), later(count))).toBe(false);
      expect(areSettled(jobs(count + 1), later(count))).toBe(false);
    },
  );

  test('stay unknown to a later run at 41 jobs, because the record keeps 40 ids', () => {
    expect(areSettled(jobs(41), later(41))).toBe(false);
  });

  test('include only the named ones before the drain has ended', () => {
    expect(areSettled(jobs(6), later(6, false))).toBe(false);
  });

  test('do not include jobs that finished, although others count without a name', () => {
    const lost = withLost(withJobs(begun, ids(9)), jobs(6), 'registry_only');
    const drain = tallyFromStored(storedTally({ ...emptyTally, drain: lost })).drain;
    expect(areSettled(jobs(3, 7), drain && { ...drain, settled: true })).toBe(false);
  });
});

describe('a count beyond the ids that the record keeps', () => {
  const costFrom = (drain: DrainTally) => {
    const settled = { ...emptyTally, drain: { ...drain, settled: true } };
    return costOf(recordAt({ tally: settled }).deployment, at);
  };
  const listOutputs = (drain: DrainTally) => {
    const cost = costFrom(drain);
    const { jobs_finished: finished, jobs_broken: broken } = costValues(cost);
    return {
      sentence: describeCost(cost)[0],
      brief: formatCostInBrief(costInBrief(cost)).split('; ')[0],
      values: [finished, broken],
      cells: Object.values(formatJobCounts(cost)),
      flags: [cost.jobsFinishedAtLeast ?? false, cost.jobsBrokenAtLeast ?? false],
    };
  };

  test.each([39, 40])('stays exact in all outputs at %d finished jobs', (count) => {
    expect(listOutputs(withJobs(begun, ids(count)))).toEqual({
      sentence: `${count} jobs finished while their shard drained, 0 lost or interrupted`,
      brief: `${count} jobs finished, 0 lost or interrupted`,
      values: [`${count}`, '0'],
      cells: [`${count}`, '0'],
      flags: [false, false],
    });
  });

  test.each([41, 100])('reads "at least" in all outputs at %d finished jobs', (count) => {
    expect(listOutputs(withJobs(begun, ids(count)))).toEqual({
      sentence: `at least ${count} jobs finished while their shard drained, 0 lost or interrupted`,
      brief: `at least ${count} jobs finished, 0 lost or interrupted`,
      values: [`at_least_${count}`, '0'],
      cells: [`at least ${count}`, '0'],
      flags: [true, false],
    });
  });

  test.each([4, 5])('stays exact in all outputs at %d broken jobs', (count) => {
    expect(listOutputs(withBroken(withJobs(begun, ids(9)), jobs(count), 'killed'))).toMatchObject({
      brief: `${9 - count} jobs finished, ${count} lost or interrupted`,
      values: [`${9 - count}`, `${count}`],
      flags: [false, false],
    });
  });

  test.each([6, 8])('reads "at least" in all outputs at %d broken jobs', (count) => {
    const broken = withBroken(withJobs(begun, ids(9)), jobs(count), 'killed');
    const finished = `${9 - count} job${count === 8 ? '' : 's'}`;
    expect(listOutputs(broken)).toMatchObject({
      sentence: expect.stringContaining(`drained, at least ${count} lost or interrupted`),
      brief: `${finished} finished, at least ${count} lost or interrupted`,
      values: [`${9 - count}`, `at_least_${count}`],
      cells: [`${9 - count}`, `at least ${count}`],
      flags: [false, true],
    });
  });

  test.each([5, 6, 40, 41, 100])(
    'stays the same in the run after the one that saw %d jobs',
    (count) => {
      const broken = withBroken(withJobs(begun, ids(count)), jobs(count), 'killed');
      const stored = storedTally({ ...emptyTally, drain: broken });
      const later = tallyFromStored(stored).drain;
      if (later === undefined) throw new Error('no drain was stored');
      expect(costFrom(later)).toEqual(costFrom(broken));
      expect([later.seen.length, later.broken.length]).toEqual([Math.min(40, count), 5]);
    },
  );

  test('does not grow if lost jobs are reported again after their ids were dropped', () => {
    const dropped = { ...begun, seenBeyond: 3, brokenBeyond: 3 };
    expect(costs(withBroken(dropped, jobs(3), 'killed'))).toMatchObject({ jobsBroken: 3 });
  });

  test.each([41, 100])('keeps the names of all %d jobs during one run', (count) => {
    const broken = withBroken(withJobs(begun, ids(count)), jobs(count), 'killed');
    expect(withLost(broken, jobs(count), 'registry_only').broken.map(({ why }) => why)).toEqual(
      ids(count).map(() => 'registry_only'),
    );
  });
});

test.each([
  [0, 'no customer job waited', 'no job waited', '0'],
  [41, 'longest wait of a customer job: 41s', 'longest wait: 41s', '41'],
  ['unknown', 'longest wait of a customer job: unknown', 'longest wait: unknown', 'unknown'],
] as const)(
  'a longest wait of %s reads "%s", and in brief "%s"',
  (wait, sentence, brief, value) => {
    const counts = { jobsFinished: 0, jobsBroken: 0, broken: [], twoShardsSeconds: 5 } as const;
    const cost = { ...counts, longestWaitSeconds: wait };
    expect(describeCost(cost).at(-1)).toBe(`${sentence}; time with two shards: 5s`);
    const inBrief = `jobs=0 broken=0 wait=${wait === 'unknown' ? wait : `${wait}s`} two_shards=5s`;
    expect(formatCostInBrief(inBrief)).toContain(`; ${brief}; `);
    expect(costValues(cost).longest_wait_seconds).toBe(value);
  },
);
