import { describe, expect, test } from '@jest/globals';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import { plannedUpdates } from '../../../src/domain/plan/plan-updates.ts';
import { captured, type RawChange } from './judging.ts';

const address = 'module.runner_manager.aws_instance.runner_manager';

/** An instance whose user_data AWS returns otherwise than the configuration has it. */
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

describe('what a plan changes in place', () => {
  test('is named by its address', () => {
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
  ])('is the same after %s', (_, change) => {
    expect(updatesOf([change])).toEqual(usual);
  });

  test.each<[string, RawChange]>([
    ['to another value', manager({ after: wanted({ user_data: 'bmV3' }) })],
    ['of another attribute, too', manager({ after: wanted({ ami: 'ami-0new' }) })],
    ['of another resource', { ...manager(), address: 'aws_instance.other' }],
    ['of another unknown attribute', manager({ after_unknown: { public_ip: true, arn: true } })],
  ])('is another change %s', (_, change) => {
    expect(updatesOf([change])?.digest).not.toBe(usual?.digest);
  });

  const replace = [['user_data']];
  const replacing = {
    actions: ['delete', 'create'],
    after: { user_data: 'c2V0dXA=' },
    after_unknown: { id: true, public_ip: true },
    replace_paths: replace,
  };
  /** A replacement whose cause only the apply will know, such as a timestamp. */
  const timestamp = {
    ...replacing,
    after: {},
    after_unknown: { id: true, user_data: true },
  };

  test.each<[string, Partial<RawChange['change']>]>([
    ['before it is created', replacing],
    ['after it is created', { ...replacing, actions: ['create', 'delete'] }],
    ['for a value that only the apply will know', timestamp],
  ])('is a replacement by the configuration: destroyed %s', (_, fields) => {
    const found = updatesOf([manager(fields)]);
    expect(found).toMatchObject({ addresses: [address], isAll: true });
    expect(found?.digest).not.toBe(usual?.digest);
    expect(updatesOf([manager({ ...fields, before: { id: 'i-0def', user_data: '' } })])).toEqual(
      found,
    );
    const other = { ...fields, replace_paths: [['subnet_id']] };
    expect(updatesOf([manager(other)])?.digest).not.toBe(found?.digest);
  });

  test('is of several resources, with what a replacement changes', () => {
    const eip = manager({ before: {}, after: {}, after_unknown: { instance: true } });
    const both = [manager(replacing), { ...eip, address: 'aws_eip.one' }];
    expect(updatesOf(both)).toMatchObject({ addresses: [address, 'aws_eip.one'], isAll: true });
  });

  test('is not compared for a replacement that a person or a failed apply asks for', () => {
    expect(updatesOf([manager({ ...replacing, replace_paths: [] })])).toBeUndefined();
    const deposed = { ...manager({ ...replacing }), deposed: '1234abcd' };
    expect(updatesOf([deposed])).toBeUndefined();
  });

  test('is the same beside outputs that change and data that is read', () => {
    const data = { ...manager({ actions: ['read'], before: null }), mode: 'data' };
    const output = { actions: ['update'], before: 1, after: 2 };
    expect(updatesOf([manager(), data], { output_changes: { address: output } })).toEqual(usual);
    expect(updatesOf([data], { output_changes: { address: output } })).toBeUndefined();
  });

  test('is not all where something is created, removed or imported besides', () => {
    const created = { ...manager({ actions: ['create'], before: null }), address: 'aws_eip.new' };
    const deleted = { ...manager({ actions: ['delete'], after: null }), address: 'aws_eip.old' };
    for (const other of [created, deleted])
      expect(updatesOf([manager(), other])).toEqual({ ...usual, isAll: false });
    expect(updatesOf([manager({ importing: { id: 'i-0abc' } })])?.isAll).toBe(false);
    expect(updatesOf([manager()], { action_invocations: [{}] })?.isAll).toBe(false);
  });

  const unknown = manager({ after: { id: 'i-0abc' }, after_unknown: { user_data: true } });

  test('is the same at each moment that the plan or the apply writes into it', () => {
    const [first, second] = ['2026-11-02T08:00:00Z', '2026-11-02T08:07:31Z'].map((at) =>
      updatesOf([manager({ after: wanted({ user_data: `built at ${at}` }) })]),
    );
    expect(second).toEqual(first);
    const before = { id: 'i-0abc', user_data: '2026-11-02T08:00:00Z' };
    const later = manager({ ...unknown.change, before });
    expect(updatesOf([unknown])).toMatchObject({ addresses: [address], isAll: true });
    expect(updatesOf([later])).toEqual(updatesOf([unknown]));
  });

  test('is the same if only tags change each time', () => {
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

  test('is not compared where it is secret, or comes from data that the apply reads', () => {
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
