import { describe, expect, test } from '@jest/globals';
import type { PlanPurpose } from '../../../src/domain/plan/plan-guard.ts';
import { captured, type RawPlan, refusalsOf, withChange } from './plan-verdicts.ts';

const built = (after: unknown) => withChange({ after });
const named = (name: string) => built({ name });

describe('an accepted Terraform plan', () => {
  test.each<[string, PlanPurpose]>([
    ['first-build', 'provision'],
    ['no-change', 'provision'],
    ['update-in-place', 'provision'],
    ['new-revision', 'provision'],
    ['replace-manager', 'provision'],
    ['tainted', 'provision'],
    ['create-before-destroy', 'provision'],
    ['refresh-only', 'provision'],
    ['destroy', 'cleanup'],
    ['destroy-nothing', 'cleanup'],
    ['replace-cascade', 'provision'],
    // These plans come from the AWS provider and the reference module.
    ['aws-first-build', 'provision'],
    ['aws-workers', 'provision'],
    ['aws-drifted', 'provision'],
    ['aws-replace-manager', 'provision'],
    ['aws-destroy', 'cleanup'],
  ])('includes %s, to %s', (name, purpose) => {
    expect(refusalsOf(captured(name), purpose)).toEqual([]);
  });

  test.each<[string, RawPlan]>([
    ['a name and an underscore', named('pink-linux_runner-manager')],
    ['a name within a path', named('/runners/pink-linux/log')],
    ['a name within an ARN', named('arn:aws:iam::123456789012:role/x/pink-linux_manager')],
    ['the shard’s own parameter', named('/gitlab/dedicated/runner/linux/pink/runner_token')],
    [
      'the shard’s own tags',
      built({ tags: { 'hosted-runner:stack': 'linux', 'hosted-runner:shard': 'pink' } }),
    ],
    ['prose that mentions both colours', built({ description: 'a pink-purple deployment' })],
    ['words that only contain a shard', named('pinkish-linux spurple-linux')],
    ['a data source that is read', withChange({ mode: 'data', actions: ['read'] })],
    [
      'the rest of a replacement that was interrupted',
      withChange({
        actions: ['delete'],
        before: { name: 'pink-linux_x' },
        extra: { deposed: 'a1b2c3d4' },
      }),
    ],
  ])('may contain %s', (_name, plan) => {
    expect(refusalsOf(plan, 'provision')).toEqual([]);
  });

  test('may contain names that the configuration declares as the stack’s own', () => {
    const ownNames = ['pink-linux-*', 'pink-base'];
    expect(refusalsOf(named('pink-linux-agent'), 'provision', { ownNames })).toEqual([]);
    expect(refusalsOf(named('pink-base'), 'provision', { ownNames })).toEqual([]);
  });

  test('may destroy a leftover without any name', () => {
    const plan = captured('destroy');
    plan.resource_changes = withChange({
      actions: ['delete'],
      before: { id: 'x' },
    }).resource_changes!.slice(-1);
    expect(refusalsOf(plan, 'cleanup')).toEqual([]);
  });

  test.each<[string, PlanPurpose]>([
    ['aws-first-build', 'provision'],
    ['aws-destroy', 'cleanup'],
  ])('%s is refused for the other shard and for another stack', (name, purpose) => {
    for (const other of [{ shard: 'purple' }, { runnerName: 'linux-large' }, { runnerName: 'lin' }])
      expect(refusalsOf(captured(name), purpose, other)).not.toEqual([]);
  });
});
