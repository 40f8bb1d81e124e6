import { describe, expect, test } from '@jest/globals';
import {
  isBaking,
  whyRolledBack,
  withBake,
  withBakeEnd,
} from '../../../src/domain/bake/bake-note.ts';
import { truncateReason } from '../../../src/domain/text/truncate-reason.ts';
import { recordAt } from '../samples.ts';

const at = '2026-11-02T10:00:00.000Z';
const hour = 3_600_000;
const settings = { forMs: hour / 2, atMostMs: 6 * hour };

describe('the bake in the deployment record', () => {
  test('begins at the switch and records its end as a time', () => {
    expect(withBake(recordAt(), at, settings).deployment.bake).toEqual({
      since: at,
      forMs: hour / 2,
      until: '2026-11-02T16:00:00.000Z',
    });
  });

  test('leaves the record unchanged without bake settings, in a rollback and if a bake is noted already', () => {
    const none = recordAt();
    expect(withBake(none, at, { atMostMs: hour })).toBe(none);
    const rollback = recordAt({ kind: 'rollback' });
    expect(withBake(rollback, at, settings)).toBe(rollback);
    const noted = withBake(none, at, settings);
    expect(withBake(noted, '2026-11-02T12:00:00.000Z', settings)).toBe(noted);
  });

  test('ends the bake at its verdict and limits the reason to 200 bytes', () => {
    const noted = withBake(recordAt({ phase: 'drained' }), at, settings);
    expect(isBaking(noted.deployment)).toBe(true);
    const end = { verdict: 'healthy', at, why: 'x'.repeat(500) } as const;
    const ended = withBakeEnd(noted, end);
    expect(isBaking(ended.deployment)).toBe(false);
    expect(ended.deployment.bake?.ended?.why).toBe(truncateReason(end.why));
    for (const why of [end.why, '壊'.repeat(300), '😀'.repeat(300), 'a'.repeat(200)]) {
      const kept = Buffer.byteLength(truncateReason(why));
      expect(kept).toBeLessThanOrEqual(200);
      expect(kept).toBeGreaterThan(194);
    }
  });
});

test('finds the reason of a rollback in its record and in the history after it', () => {
  const autoRollback = { id: '1-200', at, why: 'two faults' };
  expect(whyRolledBack(recordAt({ kind: 'rollback', autoRollback }), '1-200')).toBe(autoRollback);
  const line = { id: '1-200', kind: 'deploy', candidate: 'purple', finishedAt: at } as const;
  const next = { ...recordAt(), history: [{ ...line, isRolledBack: true as const }] };
  expect(whyRolledBack(next, '1-200')).toMatchObject({ id: '1-200', at });
  const { why } = autoRollback;
  const made = { settings: 'digest' };
  const noted = { ...next, rollbacks: [{ id: '1-200', at, why, made }] };
  expect(whyRolledBack(noted, '1-200')).toEqual({ id: '1-200', at, why });
  expect(whyRolledBack({ ...noted, history: [line] }, '1-200')).toBeUndefined();
});
