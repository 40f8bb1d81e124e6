import { describe, expect, test } from '@jest/globals';
import type { BakeCheck } from '../../../src/domain/bake/judge-bake.ts';
import { halfAnHour, judged, looks, reading } from './judged.ts';

describe('a bake without any proof of health', () => {
  const nobody = 'no signal is required, and no customer job has finished there';
  const [look] = looks(['good']);
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
    const facts = { looks: [{ ...look!, signals: [], ...more }], settings };
    expect(judged(facts)).toMatchObject({ kind: 'watching', reason: nobody });
    expect(judged({ ...facts, checksPastEnd: 1 })).toMatchObject({
      kind: 'inconclusive',
      reason: nobody,
    });
  });

  test('stays inconclusive if the finished jobs prove nothing', () => {
    const doubt = { kind: 'inconclusive', reason: '1 fault in 3 jobs' } as const;
    const facts = { looks: [{ ...look!, signals: [], finished: 3, faults: doubt }], settings };
    expect(judged({ ...facts, checksPastEnd: 1 })).toMatchObject({
      kind: 'inconclusive',
      reason: '1 fault in 3 jobs',
    });
  });

  test('stays inconclusive if every signal is unknown', () => {
    const facts = { looks: looks(['unknown', 'unknown']), settings, checksPastEnd: 1 };
    expect(judged(facts).kind).toBe('inconclusive');
  });

  test('becomes healthy by one finished job if no job is required', () => {
    const settings = { ...halfAnHour, jobs: 0 };
    const [look] = looks(['good']);
    const facts = { looks: [{ ...look!, signals: [], finished: 1 }], settings };
    expect(judged(facts).kind).toBe('healthy');
  });
});
