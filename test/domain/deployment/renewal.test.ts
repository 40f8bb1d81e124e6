import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { registeringShards, whyRegistrationFails } from '../../../src/domain/deployment/renewal.ts';
import type { Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { phasesFrom, pink, purple, recordAt } from '../samples.ts';

/** Purple replaces pink; `deployment_status` names purple from the promotion on. */
const rows: readonly (readonly [readonly Phase[], Shard, string, string])[] = [
  [['prepared', 'retreating'], pink, 'pink', ''],
  [phasesFrom('onboarded', 'promoted'), pink, 'pink purple', ''],
  [phasesFrom('promoted', 'destroying'), purple, 'purple', 'pink'],
  [['destroying', 'done'], purple, 'purple', ''],
];

describe('shards whose hosts may have to register', () => {
  const each = rows.flatMap(([phases, ...values]) =>
    phases.map((phase) => [phase, ...values] as const),
  );

  test.each(each)('depend on the phase: %s', (phase, active, open, closed) => {
    const inactive = active === pink ? purple : pink;
    const status = { kind: 'known', active, inactive } as const;
    const found = registeringShards(status, recordAt({ phase }));
    expect({ open: found.open.join(' '), closed: found.closed.join(' ') }).toEqual({
      open,
      closed,
    });
  });

  test('include the candidate in promoting after the status was switched', () => {
    const status = { kind: 'known', active: purple, inactive: pink } as const;
    expect(registeringShards(status, recordAt({ phase: 'promoting' })).open).toEqual([purple]);
  });

  test('exclude a retiring shard whose removal was begun', () => {
    const status = { kind: 'known', active: purple, inactive: pink } as const;
    const removal = { began: '2026-11-02T08:05:00.000Z' };
    const record = recordAt({ phase: 'drained' }, { pink: { removal } });
    expect(registeringShards(status, record).closed).toEqual([]);
  });

  test('include the active shard alone without a record, and none without a status', () => {
    const status = { kind: 'known', active: pink, inactive: purple } as const;
    expect(registeringShards(status, undefined)).toEqual({ open: [pink], closed: [] });
    expect(registeringShards({ kind: 'absent' }, undefined)).toEqual({ open: [], closed: [] });
  });
});

describe('a new token', () => {
  test.each([
    ['accepting', { paused: false }, false, ''],
    ['accepting, and may return', { paused: false }, true, ''],
    ['paused', { paused: true }, false, 'its runner is paused'],
    ['paused, and may return', { paused: true }, true, ''],
    ['absent', undefined, false, 'it has no runner'],
    ['absent, and may return', undefined, true, 'it has no runner'],
  ])('depends on a runner that is %s', (_, registration, mayReturn, reason) => {
    expect(whyRegistrationFails(registration, gitlabTerms, mayReturn)).toBe(reason);
  });
});
