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

describe('the sweep of resources that no state contains', () => {
  test('removes resources in an order that AWS accepts and leaves those with data to the operator', () => {
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
      'volume volume-1 is left, because its data would be lost permanently: aws ec2 delete-volume --volume-id volume-1',
      'log group log_group-1 is left, because its log would be lost permanently: aws logs delete-log-group --log-group-name log_group-1',
      'launch template launch_template-1 is left, because one of your groups may use it: aws ec2 delete-launch-template --launch-template-id launch_template-1',
      'security group rule security_group_rule-1 is left, because hosted-runner cannot remove it safely',
      'resource other-1 is left, because hosted-runner cannot remove it safely',
    ]);
  });

  test('leaves resources that an Auto Scaling group would create again', () => {
    const group = one('auto_scaling_group');
    const { remove, byHand } = planSweep([
      one('instance'),
      one('role'),
      group,
      one('security_group'),
    ]);
    expect(kindsOf(remove)).toEqual(['security_group']);
    expect(byHand.map(({ reason }) => reason)).toEqual([
      'an Auto Scaling group with the same tags would create it again',
      'instances of an Auto Scaling group with the same tags may use it',
      'its instances end with it',
    ]);
  });

  test('waits for resources that are already ending', () => {
    const dying = one('instance', { state: 'shutting-down' });
    const alive = one('instance', { id: 'i-2', state: 'running' });
    const { remove, ending } = planSweep([dying, alive]);
    expect(ending).toEqual([dying]);
    expect(remove).toEqual([alive]);
  });

  test('ignores resources of the state and their parts', () => {
    const disk = one('volume', { partOf: 'i-1' });
    const { remove, byHand } = planSweep([one('instance', { id: 'i-1' }), disk], {
      known: new Set(['i-1']),
    });
    expect([...remove, ...byHand]).toEqual([]);
  });

  test('describes a remaining resource with its name, its state and a command', () => {
    const { byHand } = planSweep([
      one('volume', { name: 'pink-linux', state: 'available' }),
      one('other', { name: 'pink-linux' }),
    ]);
    expect(formatRemoval(byHand)).toBe(
      'When its data is no longer needed: aws ec2 delete-volume --volume-id volume-1; remove resource other-1 "pink-linux"',
    );
    expect(describeByHand(byHand[0] as never)).toMatch(
      /^volume volume-1 "pink-linux" \(available\) is left/,
    );
    expect(formatRemoval([])).toBe('');
  });

  describe('the sweep of workers, which have the tags of their manager', () => {
    const manager = 'pink-linux_runner-manager';
    const host = (state: string) => one('instance', { id: 'i-host', name: manager, state });
    const worker = one('instance', {
      id: 'i-worker',
      name: 'runner-abc-machine',
      state: 'running',
    });
    const known = new Set(['i-host']);

    test.each(['pending', 'running', 'stopping', 'stopped', 'shutting-down'])(
      'keeps all workers while a manager is in the state %s',
      (state) => {
        const plan = planSweep([host(state), worker], { known, manager });
        expect(plan).toEqual({ remove: [], ending: [], byHand: [], workers: [worker] });
      },
    );

    test('removes an unknown manager first and keeps its workers meanwhile', () => {
      const plan = planSweep([host('running'), worker], { manager });
      expect(plan).toMatchObject({ remove: [host('running')], workers: [worker] });
    });

    test('keeps the parts of workers with the workers', () => {
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
      ['no longer exists', [worker]],
    ])('removes workers once the last manager %s', (_, found) => {
      const plan = planSweep(found, { known, manager });
      expect(plan).toMatchObject({ remove: [worker], workers: [] });
    });
  });
});
