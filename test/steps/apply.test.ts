import { describe, expect, test } from '@jest/globals';
import type { ShardEntry } from '../../src/domain/record.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { Phase } from '../../src/domain/steps.ts';
import { apply } from '../../src/stages/apply.ts';
import { purple, recordAt } from '../domain/samples.ts';
import { standAlone } from './standing.ts';

/** An apply of a candidate on which manager 9 is registered; what the record says afterwards. */
async function applied({
  phase,
  entry = {},
  plan = 'changes',
  added = 3,
}: {
  phase: Phase;
  entry?: Partial<ShardEntry>;
  plan?: 'changes' | 'empty';
  added?: number;
}) {
  const record = recordAt({ phase }, { purple: { registration: '2' as RegistrationId, ...entry } });
  const { context, written, asked } = standAlone(
    {
      infrastructure: {
        listKnown: async () => undefined,
        plan: async () => ({ kind: plan, summary: '' }),
        async *apply() {
          const counts = { added, changed: 0, destroyed: 0 };
          yield { kind: 'done', counts, outputs: {} };
        },
      },
      registry: { listWorkers: async () => ({ kind: 'found', value: [{ id: 9 }] }) },
      canary: { findNewest: async () => undefined },
      inventory: { list: async () => [] },
    },
    record,
  );
  await apply(context, purple);
  return { after: written.at(-1)?.shards['purple'], asked };
}

const evidence = { at: '2026-11-02T09:00:00.000Z', workers: [9] };

describe('an apply', () => {
  test('that changed something voids older evidence and older verdicts', async () => {
    const { after } = await applied({ phase: 'healthy', entry: { evidence, unhealthyInARow: 1 } });
    expect(after?.evidence).toBeUndefined();
    expect(after?.unhealthyInARow).toBe(0);
  });

  test('that changed nothing leaves the verdicts in a row', async () => {
    const { after } = await applied({
      phase: 'onboarded',
      entry: { unhealthyInARow: 1 },
      added: 0,
    });
    expect(after?.unhealthyInARow).toBe(1);
  });

  test('that goes on with one that was cut off counts the managers of its first half', async () => {
    const { after } = await applied({ phase: 'applying', entry: { highestWorkerBeforeApply: 4 } });
    expect(after?.highestWorkerBeforeApply).toBe(4);
  });

  test('of an empty plan is carried out, unless the last one is known to have ended', async () => {
    const cutOff = await applied({ phase: 'applying', plan: 'empty' });
    expect(cutOff.asked).toContain('infrastructure.apply');
    const ended = await applied({ phase: 'applied', plan: 'empty' });
    expect(ended.asked).not.toContain('infrastructure.apply');
  });
});
