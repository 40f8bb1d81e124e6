import { describe, expect, test } from '@jest/globals';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import { plannedUpdates } from '../../../src/domain/plan/plan-updates.ts';
import { captured, type RawChange } from './plan-verdicts.ts';

const address = 'module.runner_manager.aws_instance.runner_manager';

/** Returns an instance whose user_data AWS returns in another form than the configuration. */
function manager(fields: Partial<RawChange['change']> = {}): RawChange {
  const before = { id: 'i-0abc', user_data: '', public_ip: '10.0.0.1', tags: { pipeline: '1' } };
  return {
    address,
    mode: 'managed',
    type: 'aws_instance',
    change: {
      actions: ['update'],
      before,
      after: { id: 'i-0abc', user_data: 'c2V0dXA=', tags: { pipeline: '1' } },
      after_unknown: { public_ip: true },
      after_sensitive: {},
      ...fields,
    },
  };
}

function updatesOf(changes: readonly RawChange[], more: object = {}) {
  return plannedUpdates(
    parsePlan(JSON.stringify({ format_version: '1.2', resource_changes: changes, ...more })),
  );
}

const usual = updatesOf([manager()]);

describe('the in-place changes of a plan', () => {
  test('appear with their address', () => {
    expect(usual).toMatchObject({ addresses: [address], isAll: true });
    expect(plannedUpdates(parsePlan(JSON.stringify(captured('update-in-place'))))).toMatchObject({
      addresses: ['terraform_data.network'],
      isAll: true,
    });
  });

  const wanted = (value: object) => ({ id: 'i-0abc', user_data: 'c2V0dXA=', ...value });
  test.each<[string, RawChange]>([
    [
      'another earlier value',
      manager({
        before: { id: 'i-0abc', user_data: 'x', public_ip: '10.0.0.2', tags: { pipeline: '1' } },
      }),
    ],
    ["another pipeline's tags", manager({ after: wanted({ tags: { pipeline: '2' } }) })],
  ])('compare as equal after %s', (_, change) => {
    expect(updatesOf([change])).toEqual(usual);
  });

  test.each<[string, RawChange]>([
    ['another value', manager({ after: wanted({ user_data: 'bmV3' }) })],
    ['another additional attribute', manager({ after: wanted({ ami: 'ami-0new' }) })],
    ['another resource', { ...manager(), address: 'aws_instance.other' }],
    ['another unknown attribute', manager({ after_unknown: { public_ip: true, arn: true } })],
  ])('compare as different with %s', (_, change) => {
    expect(updatesOf([change])?.digest).not.toBe(usual?.digest);
  });

  const replace = [['user_data']];
  const replacing = {
    actions: ['delete', 'create'],
    after: { user_data: 'c2V0dXA=' },
    after_unknown: { id: true, public_ip: true },
    replace_paths: replace,
  };
  /** Replacement whose cause is only known after the apply, such as a timestamp. */
  const timestamp = {
    ...replacing,
    after: {},
    after_unknown: { id: true, user_data: true },
  };

  test.each<[string, Partial<RawChange['change']>]>([
    ['before it is created', replacing],
    ['after it is created', { ...replacing, actions: ['create', 'delete'] }],
    ['because of a value that only the apply will know', timestamp],
  ])('include a replacement that the configuration causes: destroyed %s', (_, fields) => {
    const found = updatesOf([manager(fields)]);
    expect(found).toMatchObject({ addresses: [address], isAll: true });
    expect(found?.digest).not.toBe(usual?.digest);
    expect(updatesOf([manager({ ...fields, before: { id: 'i-0def', user_data: '' } })])).toEqual(
      found,
    );
    const other = { ...fields, replace_paths: [['subnet_id']] };
    expect(updatesOf([manager(other)])?.digest).not.toBe(found?.digest);
  });

  test('cover several resources, with the changes that follow from a replacement', () => {
    const eip = manager({ before: {}, after: {}, after_unknown: { instance: true } });
    const both = [manager(replacing), { ...eip, address: 'aws_eip.one' }];
    expect(updatesOf(both)).toMatchObject({ addresses: [address, 'aws_eip.one'], isAll: true });
  });

  test('exclude a replacement that an operator or a failed apply requests', () => {
    expect(updatesOf([manager({ ...replacing, replace_paths: [] })])).toBeUndefined();
    const deposed = { ...manager({ ...replacing }), deposed: '1234abcd' };
    expect(updatesOf([deposed])).toBeUndefined();
  });

  test('compare as equal beside changed outputs and data reads', () => {
    const data = { ...manager({ actions: ['read'], before: null }), mode: 'data' };
    const output = { actions: ['update'], before: 1, after: 2 };
    expect(updatesOf([manager(), data], { output_changes: { address: output } })).toEqual(usual);
    expect(updatesOf([data], { output_changes: { address: output } })).toBeUndefined();
  });

  test('count as incomplete if the plan also creates, removes or imports a resource', () => {
    const created = { ...manager({ actions: ['create'], before: null }), address: 'aws_eip.new' };
    const deleted = { ...manager({ actions: ['delete'], after: null }), address: 'aws_eip.old' };
    for (const other of [created, deleted])
      expect(updatesOf([manager(), other])).toEqual({ ...usual, isAll: false });
    expect(updatesOf([manager({ importing: { id: 'i-0abc' } })])?.isAll).toBe(false);
    expect(updatesOf([manager()], { action_invocations: [{}] })?.isAll).toBe(false);
  });

  const unknown = manager({ after: { id: 'i-0abc' }, after_unknown: { user_data: true } });

  test('compare as equal at each time that the plan or the apply writes into them', () => {
    const [first, second] = ['2026-11-02T08:00:00Z', '2026-11-02T08:07:31Z'].map((at) =>
      updatesOf([manager({ after: wanted({ user_data: `built at ${at}` }) })]),
    );
    expect(second).toEqual(first);
    const before = { id: 'i-0abc', user_data: '2026-11-02T08:00:00Z' };
    const later = manager({ ...unknown.change, before });
    expect(updatesOf([unknown])).toMatchObject({ addresses: [address], isAll: true });
    expect(updatesOf([later])).toEqual(updatesOf([unknown]));
  });

  test('compare as equal if only tags change each time', () => {
    const tagged = (pipeline: string) =>
      updatesOf([
        manager({
          after: { id: 'i-0abc', user_data: '', public_ip: '10.0.0.1', tags: { pipeline } },
          after_unknown: {},
        }),
      ]);
    expect(tagged('2')).toMatchObject({ addresses: [address], isAll: true });
    expect(tagged('3')).toEqual(tagged('2'));
  });

  test('exclude secret values, and values from data that the apply reads', () => {
    const data = {
      ...manager({ actions: ['read'], before: null }),
      address: 'data.aws_ami.newest',
      mode: 'data',
    };
    expect(updatesOf([unknown, data])).toBeUndefined();
    expect(updatesOf([manager({ after_sensitive: { user_data: true } })])).toBeUndefined();
    expect(updatesOf([manager({ after_sensitive: true })])).toBeUndefined();
    expect(updatesOf([])).toBeUndefined();
  });
});
