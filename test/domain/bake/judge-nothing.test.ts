import { describe, expect, test } from '@jest/globals';
import type { BakeCheck } from '../../../src/domain/bake/judge-bake.ts';
import { halfAnHour, judge, reading, series } from './bake-facts.ts';

describe('a bake without any proof of health', () => {
  const noProof = 'no signal is required, and no customer job has finished on the new shard';
  const [check] = series(['good']);
  const settings = { ...halfAnHour, jobs: 0 };
  const unlisted = { kind: 'inconclusive', reason: 'jobs cannot be listed' } as const;

  test.each<[string, Partial<BakeCheck>]>([
    ['no job has finished', { finished: 0, faults: { kind: 'usual', reason: 'no job' } }],
    ['jobs cannot be listed', { finished: 0, faults: unlisted }],
    [
      'the only good signal has the requirement report',
      { finished: 0, signals: [reading('health', 'good', { requirement: 'report' })] },
    ],
  ])('stays inconclusive if %s', (_, more) => {
    const facts = { checks: [{ ...check!, signals: [], ...more }], settings };
    expect(judge(facts)).toMatchObject({ kind: 'watching', reason: noProof });
    expect(judge({ ...facts, checksPastEnd: 1 })).toMatchObject({
      kind: 'inconclusive',
      reason: noProof,
    });
  });

  test('stays inconclusive if the finished jobs prove nothing', () => {
    const doubt = { kind: 'inconclusive', reason: '1 fault in 3 jobs' } as const;
    const facts = { checks: [{ ...check!, signals: [], finished: 3, faults: doubt }], settings };
    expect(judge({ ...facts, checksPastEnd: 1 })).toMatchObject({
      kind: 'inconclusive',
      reason: '1 fault in 3 jobs',
    });
  });

  test('stays inconclusive if every signal is unknown', () => {
    const facts = { checks: series(['unknown', 'unknown']), settings, checksPastEnd: 1 };
    expect(judge(facts).kind).toBe('inconclusive');
  });

  test('becomes healthy by one finished job if no job is required', () => {
    const settings = { ...halfAnHour, jobs: 0 };
    const [check] = series(['good']);
    const facts = { checks: [{ ...check!, signals: [], finished: 1 }], settings };
    expect(judge(facts).kind).toBe('healthy');
  });
});
