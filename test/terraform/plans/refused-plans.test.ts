import { describe, expect, test } from '@jest/globals';
import type { PlanPurpose } from '../../../src/domain/plan/plan-guard.ts';
import { captured, type RawPlan, refusalsOf } from './plan-verdicts.ts';

describe('a refused Terraform plan', () => {
  test.each<[string, PlanPurpose, string[]]>([
    [
      'moved',
      'provision',
      ['terraform_data.net | no-op | it is moved from terraform_data.network'],
    ],
    ['imported', 'provision', ['terraform_data.extra | no-op | it is imported']],
    ['forgotten', 'provision', ['terraform_data.extra | forget | its actions are unknown']],
    [
      'removed-from-configuration',
      'provision',
      ['terraform_data.alarm[1] | delete | provision deletes only what it replaces'],
    ],
    ['targeted', 'provision', ['(the plan) | it is not complete']],
    ...(['both-shards', 'both-shards-no-change'] as const).map(
      (name): [string, PlanPurpose, string[]] => [
        name,
        'provision',
        [
          `terraform_data.manager["purple"] | ${name === 'both-shards' ? 'create' : 'no-op'} | its address contains the name of the other shard, purple`,
        ],
      ],
    ),
    [
      'both-shards-destroy',
      'cleanup',
      [
        'terraform_data.manager["purple"] | delete | its address contains the name of the other shard, purple',
      ],
    ],
    [
      'destroy',
      'provision',
      ['alarm[0]', 'alarm[1]', 'manager', 'network'].map(
        (name) => `terraform_data.${name} | delete | provision deletes only what it replaces`,
      ),
    ],
    [
      'first-build',
      'cleanup',
      ['alarm[0]', 'alarm[1]', 'manager', 'network'].map(
        (name) => `terraform_data.${name} | create | a cleanup only deletes`,
      ),
    ],
    [
      'new-revision',
      'cleanup',
      [
        'terraform_data.alarm[0] | update | a cleanup only deletes',
        'terraform_data.alarm[1] | update | a cleanup only deletes',
        'terraform_data.manager | delete, create | a cleanup only deletes',
      ],
    ],
  ])('includes %s, to %s', (name, purpose, rows) => {
    expect(refusalsOf(captured(name), purpose)).toEqual(rows);
  });

  test('belongs to the other shard', () => {
    expect(refusalsOf(captured('destroy'), 'cleanup', { shard: 'purple' })).toEqual(
      ['alarm[0]', 'alarm[1]', 'manager', 'network'].map(
        (name) =>
          `terraform_data.${name} | delete | it contains the name pink-linux, which belongs to the other shard`,
      ),
    );
  });

  test('belongs to a stack whose name is a prefix of this stack’s name', () => {
    const rows = refusalsOf(captured('destroy'), 'cleanup', { runnerName: 'linux-large' });
    expect(rows[0]).toBe(
      'terraform_data.alarm[0] | delete | it contains the name pink-linux, which belongs to another stack',
    );
    expect(rows).toHaveLength(4);
  });

  test.each<[string, Partial<RawPlan>, string]>([
    ['an error behind it', { errored: true }, 'the run that made it ended with an error'],
    ['a deferred change', { deferred_changes: [{}] }, 'it contains changes that are deferred'],
    [
      'actions that it invokes',
      { action_invocations: [{}] },
      'it contains actions that it invokes',
    ],
    [
      'an unknown future format',
      { format_version: '2.0' },
      'its format 2.0 is not supported (1.x)',
    ],
    ['no format', { format_version: undefined }, 'its format (none) is not supported (1.x)'],
    [
      'a flag that it cannot be applied',
      { applyable: false },
      'it reports that it cannot be applied',
    ],
  ])('contains %s', (_name, part, reason) => {
    const plan = { ...captured('first-build'), ...part };
    expect(refusalsOf(plan, 'provision')).toEqual([`(the plan) | ${reason}`]);
  });

  test('contains nothing of the stack', () => {
    const plan = captured('first-build');
    for (const { change } of plan.resource_changes!) change.after = { input: 'network' };
    expect(refusalsOf(plan, 'provision')).toEqual([
      '(the plan) | nothing in it has the name pink-linux',
    ]);
  });

  test.each([
    ['text', '"plan"'],
    ['a list', '[]'],
    ['changes that are no list', '{"format_version":"1.2","resource_changes":{}}'],
    ['a change without actions', '{"resource_changes":[{"address":"a","change":{}}]}'],
    ['a change without a change', '{"resource_changes":[{"address":"a"}]}'],
    ['nothing', ''],
  ])('does not parse as a plan: %s', async (_name, text) => {
    const { parsePlan } = await import('../../../src/adapters/terraform/plan-json.ts');
    expect(() => parsePlan(text)).toThrow('the saved plan: ');
  });
});
