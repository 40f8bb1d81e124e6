import { describe, expect, test } from '@jest/globals';
import type { TaggedKind, TaggedResource } from '../../../src/domain/plan/aws-resource.ts';
import { describeByHand, formatRemoval, planSweep } from '../../../src/domain/plan/sweep-plan.ts';

const one = (kind: TaggedKind, more: Partial<TaggedResource> = {}): TaggedResource => ({
  kind,
  id: `${kind}-1`,
  ...more,
});
const all: readonly TaggedKind[] = [
  'role',
  'security_group',
  'volume',
  'instance',
  'log_group',
  'network_interface',
  'launch_template',
  'instance_profile',
  'security_group_rule',
  'other',
];
const kindsOf = (resources: readonly TaggedResource[]) => resources.map(({ kind }) => kind);

describe('what carries a shard’s tags and is in no state', () => {
  test('goes in an order in which AWS lets it go, and what holds data stays a person’s', () => {
    const { remove, ending, byHand } = planSweep(all.map((kind) => one(kind)));
    expect(kindsOf(remove)).toEqual([
      'instance',
      'network_interface',
      'security_group',
      'instance_profile',
      'role',
    ]);
    expect(ending).toEqual([]);
    expect(byHand.map(describeByHand)).toEqual([
      'volume volume-1 is left, and its data cannot be brought back: aws ec2 delete-volume --volume-id volume-1',
      'log group log_group-1 is left, and its log cannot be brought back: aws logs delete-log-group --log-group-name log_group-1',
      'launch template launch_template-1 is left, and a group of yours may use it: aws ec2 delete-launch-template --launch-template-id launch_template-1',
      'security group rule security_group_rule-1 is left, and this program does not know how to remove it safely',
      'resource other-1 is left, and this program does not know how to remove it safely',
    ]);
  });

  test('is ended by nobody where a group would make it anew', () => {
    const group = one('auto_scaling_group');
    const { remove, byHand } = planSweep([
      one('instance'),
      one('role'),
      group,
      one('security_group'),
    ]);
    expect(kindsOf(remove)).toEqual(['security_group']);
    expect(byHand.map(({ reason }) => reason)).toEqual([
      'an Auto Scaling group with the same tags would make it anew',
      'instances of an Auto Scaling group with the same tags may use it',
      'its instances end with it',
    ]);
  });

  test('is left to end where it ends already', () => {
    const dying = one('instance', { state: 'shutting-down' });
    const alive = one('instance', { id: 'i-2', state: 'running' });
    const { remove, ending } = planSweep([dying, alive]);
    expect(ending).toEqual([dying]);
    expect(remove).toEqual([alive]);
  });

  test('is nothing of ours where the state has it, or what it is part of', () => {
    const disk = one('volume', { partOf: 'i-1' });
    const { remove, byHand } = planSweep([one('instance', { id: 'i-1' }), disk], {
      known: new Set(['i-1']),
    });
    expect([...remove, ...byHand]).toEqual([]);
  });

  test('is told with its name, its state and what a person types', () => {
    const { byHand } = planSweep([
      one('volume', { name: 'pink-linux', state: 'available' }),
      one('other', { name: 'pink-linux' }),
    ]);
    expect(formatRemoval(byHand)).toBe(
      'Once nobody needs what it holds: aws ec2 delete-volume --volume-id volume-1; remove resource other-1 "pink-linux"',
    );
    expect(describeByHand(byHand[0] as never)).toMatch(
      /^volume volume-1 "pink-linux" \(available\) is left/,
    );
    expect(formatRemoval([])).toBe('');
  });

  describe('of workers, which carry the tags of their manager and are in no state', () => {
    const manager = 'pink-linux_runner-manager';
    const host = (state: string) => one('instance', { id: 'i-host', name: manager, state });
    const worker = one('instance', {
      id: 'i-worker',
      name: 'runner-abc-machine',
      state: 'running',
    });
    const known = new Set(['i-host']);

    test.each(['pending', 'running', 'stopping', 'stopped', 'shutting-down'])(
      'ends none while a manager of the state is %s',
      (state) => {
        const plan = planSweep([host(state), worker], { known, manager });
        expect(plan).toEqual({ remove: [], ending: [], byHand: [], workers: [worker] });
      },
    );

    test('ends a manager that is in no state first, and not its workers with it', () => {
      const plan = planSweep([host('running'), worker], { manager });
      expect(plan).toMatchObject({ remove: [host('running')], workers: [worker] });
    });

    test('leaves what is part of them with them', () => {
      const parts = [
        one('network_interface', { id: 'eni-worker', partOf: 'i-worker', state: 'in-use' }),
        one('volume', { id: 'vol-worker', partOf: 'i-worker' }),
      ];
      const free = one('network_interface', { id: 'eni-free' });
      const plan = planSweep([host('running'), worker, ...parts, free], { known, manager });
      expect(plan).toEqual({ remove: [free], ending: [], byHand: [], workers: [worker] });
    });

    test.each([
      ['has ended', [host('terminated'), worker]],
      ['is no more', [worker]],
    ])('ends them once the last manager %s', (_, found) => {
      const plan = planSweep(found, { known, manager });
      expect(plan).toMatchObject({ remove: [worker], workers: [] });
    });
  });
});
