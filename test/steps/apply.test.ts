import { describe, expect, test } from '@jest/globals';
import type { LastApply } from '../../src/domain/deployment/last-apply.ts';
import type { ShardEntry } from '../../src/domain/deployment/record.ts';
import type { Phase } from '../../src/domain/deployment/stages-and-steps.ts';
import type { TaggedResource } from '../../src/domain/plan/aws-resource.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { InfrastructurePlan } from '../../src/ports/infrastructure.ts';
import { apply } from '../../src/stages/steps/candidate/apply.ts';
import { purple, recordAt } from '../domain/samples.ts';
import { standAlone } from './standing.ts';

/** Applies a candidate with manager 9. Returns the record afterwards. */
async function applied({
  phase,
  entry = {},
  plan = 'changes',
  added = 3,
  changed = 0,
  updates,
}: {
  phase: Phase;
  entry?: Partial<ShardEntry>;
  plan?: 'changes' | 'empty';
  added?: number;
  changed?: number;
  updates?: InfrastructurePlan['updates'];
}) {
  const record = recordAt({ phase }, { purple: { registration: '2' as RegistrationId, ...entry } });
  const {
    context,
    written,
    requests: calls,
  } = standAlone(
    {
      infrastructure: {
        listKnown: async () => undefined,
        plan: async () => ({ kind: plan, summary: '', updates }),
        async *apply() {
          const counts = { added, changed, destroyed: 0 };
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
  return { after: written.at(-1)?.shards['purple'], calls };
}

const evidence = { at: '2026-11-02T09:00:00.000Z', workers: [9] };

/** Applies a plan that finds existing names until their resources are adopted. */
async function appliedOver({
  phase,
  adoptable = true,
  found = [{ kind: 'launch_template', id: 'lt-0abc', name: 'purple-linux_x' }],
}: {
  phase: Phase;
  adoptable?: boolean;
  found?: readonly TaggedResource[];
}) {
  const role = { address: 'aws_iam_role.x', id: 'purple-linux_x' };
  const logs = { address: 'aws_cloudwatch_log_group.x', id: '/purple-linux' };
  const template = {
    address: 'aws_launch_template.x',
    kind: 'launch_template',
    name: 'purple-linux_x',
  };
  const error = new Error('its name is taken');
  let adopted: readonly unknown[] = [];
  const { context } = standAlone(
    {
      infrastructure: {
        listKnown: async () => ['lt-0known'],
        plan: async (_: unknown, { adopt = [] }: { adopt?: readonly unknown[] } = {}) => {
          adopted = adopt;
          return { kind: 'changes', summary: '' };
        },
        async *apply() {
          const next = [role, logs, template][adoptable ? adopted.length : 0];
          if (next !== undefined) yield { kind: 'taken', names: [next], error };
          else yield { kind: 'done', counts: { added: 1, changed: 0, destroyed: 0 }, outputs: {} };
        },
      },
      registry: { listWorkers: async () => ({ kind: 'found', value: [] }) },
      canary: { findNewest: async () => undefined },
      inventory: { list: async () => found },
    },
    recordAt({ phase }, { purple: { registration: '2' as RegistrationId } }),
  );
  await apply(context, purple);
  return adopted;
}

describe('an apply that finds a name taken', () => {
  test('adopts one resource after the other if an earlier apply was cut off', async () => {
    expect(await appliedOver({ phase: 'applying' })).toMatchObject([
      { id: 'purple-linux_x' },
      { id: '/purple-linux' },
      { address: 'aws_launch_template.x', id: 'lt-0abc' },
    ]);
  });

  const kind = 'launch_template';
  test.each<[string, readonly TaggedResource[]]>([
    ['no tagged resource has that name', [{ kind, id: 'lt-0abc', name: 'purple-linux_y' }]],
    ['it is another kind', [{ kind: 'volume', id: 'vol-0abc', name: 'purple-linux_x' }]],
    ['it is in the state', [{ kind, id: 'lt-0known', name: 'purple-linux_x' }]],
    [
      'two have it',
      ['lt-0abc', 'lt-0def'].map((id) => ({ kind, id, name: 'purple-linux_x' }) as const),
    ],
  ])('fails with that error if an id is needed and %s', async (_name, found) => {
    await expect(appliedOver({ phase: 'applying', found })).rejects.toThrow('its name is taken');
  });

  test('fails with that error if no apply was cut off or the adoption did not help', async () => {
    const refused = 'its name is taken';
    await expect(appliedOver({ phase: 'onboarded' })).rejects.toThrow(refused);
    await expect(appliedOver({ phase: 'applied' })).rejects.toThrow(refused);
    await expect(appliedOver({ phase: 'applying', adoptable: false })).rejects.toThrow(refused);
  });
});

describe('an apply', () => {
  test('voids older evidence and verdicts if it changed something', async () => {
    const { after } = await applied({ phase: 'healthy', entry: { evidence, unhealthyInARow: 1 } });
    expect(after?.evidence).toBeUndefined();
    expect(after?.unhealthyInARow).toBe(0);
  });

  test('keeps the count of unhealthy verdicts if it changed nothing', async () => {
    const { after } = await applied({
      phase: 'onboarded',
      entry: { unhealthyInARow: 1 },
      added: 0,
    });
    expect(after?.unhealthyInARow).toBe(1);
  });

  const address = 'module.runner_manager.aws_instance.runner_manager';
  const updates = { digest: 'd1', addresses: [address], isAll: true };
  const inPlace = { phase: 'applied', added: 0, changed: 1, updates } as const;
  const at = '2026-11-02T09:00:00.000Z';

  test('keeps the count of unhealthy verdicts if it repeats the changes of the apply before it', async () => {
    const lastApply = { at, added: 0, changed: 1, destroyed: 0, updates: 'd1' };
    const entry = { unhealthyInARow: 1, evidence, lastApply };
    const { after } = await applied({ ...inPlace, entry });
    expect(after?.unhealthyInARow).toBe(1);
    expect(after?.lastApply).toMatchObject({ changed: 1, updates: 'd1', repeated: address });
    // The apply took effect, so older evidence is void.
    expect(after?.evidence).toBeUndefined();
    const next = { ...entry, lastApply: after?.lastApply ?? lastApply };
    const third = await applied({ ...inPlace, entry: next });
    expect(third.after?.lastApply?.repeated).toBe(address);
  });

  test.each<[string, LastApply | undefined, Partial<typeof updates>]>([
    ['no apply came before it', undefined, {}],
    ['a record of an older version has no data', { at, added: 0, changed: 1, destroyed: 0 }, {}],
    ['the apply before it changed something else', { at, changed: 1, updates: 'd0' }, {}],
    ['it changes more than that', { at, changed: 1, updates: 'd1' }, { isAll: false }],
  ])('clears the unhealthy verdicts after a change in place if %s', async (_, lastApply, other) => {
    const entry = { unhealthyInARow: 1, ...(lastApply === undefined ? {} : { lastApply }) };
    const { after } = await applied({ ...inPlace, updates: { ...updates, ...other }, entry });
    expect(after?.unhealthyInARow).toBe(0);
    expect(after?.lastApply?.updates).toBe('d1');
    expect(after?.lastApply?.repeated).toBeUndefined();
  });

  test('counts the managers of the first half if it resumes an apply that was cut off', async () => {
    const { after } = await applied({ phase: 'applying', entry: { highestWorkerBeforeApply: 4 } });
    expect(after?.highestWorkerBeforeApply).toBe(4);
  });

  test('carries out an empty plan unless the last apply is known to have ended', async () => {
    const cutOff = await applied({ phase: 'applying', plan: 'empty' });
    expect(cutOff.calls).toContain('infrastructure.apply');
    const ended = await applied({ phase: 'applied', plan: 'empty' });
    expect(ended.calls).not.toContain('infrastructure.apply');
  });
});
