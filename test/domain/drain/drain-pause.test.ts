import { describe, expect, test } from '@jest/globals';
import {
  inheritedPause,
  withClosedByOperator,
  withoutClosing,
  withoutPause,
} from '../../../src/domain/drain/drain-pause.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { recordAt } from '../samples.ts';

const at = '2026-11-02T08:15:00.000Z';

describe('whose a closing is', () => {
  test('outlives the deployment that retires the shard', () => {
    const record = recordAt({ phase: 'drained', closedAt: at, closedByOther: true });
    expect(inheritedPause(record, pink)).toEqual({ closedAt: at, closedByOther: true });
    expect(inheritedPause(record, purple)).toEqual({});
  });

  test('is forgotten with the closing', () => {
    const { deployment } = withoutClosing(recordAt({ closedAt: at, closedByOther: true }));
    expect(deployment).not.toHaveProperty('closedAt');
    expect(deployment).not.toHaveProperty('closedByOther');
  });

  test('is not forgotten by an opening while a pause of ours may land late', () => {
    const record = recordAt({ phase: 'promoted', closedAt: at, pauseUnansweredAt: at });
    expect(withoutPause(record)).toEqual(record);
    expect(withoutPause(recordAt({ closedAt: at })).deployment).not.toHaveProperty('closedAt');
  });

  test('may be of a late pause in the next deployment, too, where a run died before it saw its own', () => {
    const record = recordAt({ phase: 'draining', phaseAt: at });
    expect(inheritedPause(record, pink)).toEqual({ closedAt: at, pauseUnansweredAt: at });
  });

  test('is ours of what a retreat may have closed, which nobody notes', () => {
    const record = recordAt({ phase: 'retreating', phaseAt: at });
    expect(inheritedPause(record, purple)).toEqual({ closedAt: at });
    const paused = withClosedByOperator(record, purple);
    expect(inheritedPause(paused, purple)).toEqual({ closedAt: at, closedByOther: true });
  });
});
