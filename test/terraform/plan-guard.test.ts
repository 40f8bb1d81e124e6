import { describe, expect, test } from '@jest/globals';
import type { PlanPurpose } from '../../src/domain/plan-guard.ts';
import { captured, type RawPlan, refusalsOf, withChange } from './judging.ts';

const built = (after: unknown) => withChange({ after });
const named = (name: string) => built({ name });

describe('a plan of Terraform is accepted', () => {
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
  ])('%s, to %s', (name, purpose) => {
    expect(refusalsOf(captured(name), purpose)).toEqual([]);
  });

  test.each<[string, RawPlan]>([
    ['a name and an underscore', named('pink-linux_runner-manager')],
    ['a name within a path', named('/runners/pink-linux/log')],
    ['a name within an ARN', named('arn:aws:iam::123456789012:role/x/pink-linux_manager')],
    ['our own parameter', named('/gitlab/dedicated/runner/linux/pink/runner_token')],
    [
      'our tags',
      built({ tags: { 'hosted-runner:stack': 'linux', 'hosted-runner:shard': 'pink' } }),
    ],
    ['prose that mentions both colours', built({ description: 'a pink-purple deployment' })],
    ['words that only contain a shard', named('pinkish-linux spurple-linux')],
    ['a data source that is read', withChange({ mode: 'data', actions: ['read'] })],
    [
      'the rest of a replacement that was killed in the middle',
      withChange({
        actions: ['delete'],
        before: { name: 'pink-linux_x' },
        extra: { deposed: 'a1b2c3d4' },
      }),
    ],
  ])('with %s', (_name, plan) => {
    expect(refusalsOf(plan, 'provision')).toEqual([]);
  });

  test('with names that the configuration calls ours', () => {
    const ownNames = ['pink-linux-*', 'pink-base'];
    expect(refusalsOf(named('pink-linux-agent'), 'provision', { ownNames })).toEqual([]);
    expect(refusalsOf(named('pink-base'), 'provision', { ownNames })).toEqual([]);
  });

  test('that destroys a rest without any name', () => {
    const plan = captured('destroy');
    plan.resource_changes = withChange({
      actions: ['delete'],
      before: { id: 'x' },
    }).resource_changes!.slice(-1);
    expect(refusalsOf(plan, 'cleanup')).toEqual([]);
  });
});

describe('a plan of Terraform is refused', () => {
  test.each<[string, PlanPurpose, string[]]>([
    [
      'moved',
      'provision',
      ['terraform_data.net | no-op | it is moved from terraform_data.network'],
    ],
    ['imported', 'provision', ['terraform_data.extra | no-op | it is imported']],
    ['forgotten', 'provision', ['terraform_data.extra | forget | its actions are not known here']],
    [
      'removed-from-configuration',
      'provision',
      ['terraform_data.alarm[1] | delete | provision deletes nothing but what it replaces'],
    ],
    ['targeted', 'provision', ['(the plan) | it is not complete']],
    ...(['both-shards', 'both-shards-no-change'] as const).map(
      (name): [string, PlanPurpose, string[]] => [
        name,
        'provision',
        [
          `terraform_data.manager["purple"] | ${name === 'both-shards' ? 'create' : 'no-op'} | its address names the other shard, purple`,
        ],
      ],
    ),
    [
      'both-shards-destroy',
      'cleanup',
      ['terraform_data.manager["purple"] | delete | its address names the other shard, purple'],
    ],
    [
      'destroy',
      'provision',
      ['alarm[0]', 'alarm[1]', 'manager', 'network'].map(
        (name) =>
          `terraform_data.${name} | delete | provision deletes nothing but what it replaces`,
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
  ])('%s, to %s', (name, purpose, rows) => {
    expect(refusalsOf(captured(name), purpose)).toEqual(rows);
  });

  test("that is the other shard's own", () => {
    expect(refusalsOf(captured('destroy'), 'cleanup', { shard: 'purple' })).toEqual(
      ['alarm[0]', 'alarm[1]', 'manager', 'network'].map(
        (name) => `terraform_data.${name} | delete | it names pink-linux, of the other shard`,
      ),
    );
  });

  test('that is of a stack whose name ours begins with', () => {
    const rows = refusalsOf(captured('destroy'), 'cleanup', { runnerName: 'linux-large' });
    expect(rows[0]).toBe(
      'terraform_data.alarm[0] | delete | it names pink-linux, of another stack',
    );
    expect(rows).toHaveLength(4);
  });

  test.each<[string, RawPlan, string]>([
    [
      "the other shard's name",
      named('purple-linux_manager'),
      'it names purple-linux, of the other shard',
    ],
    [
      "the other shard's name in capitals",
      named('Purple-Linux'),
      'it names purple-linux, of the other shard',
    ],
    [
      'it in prose',
      built({ description: 'talks to purple-linux' }),
      'it names purple-linux, of the other shard',
    ],
    [
      'a stack whose name begins with ours',
      named('pink-linux-large_x'),
      'it names pink-linux-large, of another stack',
    ],
    [
      'a stack whose name ends with ours',
      named('pink-my-linux'),
      'it names pink-my-linux, of another stack',
    ],
    [
      'the other shard of that stack',
      named('purple-linux-large'),
      'it names purple-linux-large, of the other shard',
    ],
    [
      'an ARN of another stack',
      built({ role: 'arn:aws:iam::123456789012:role/pink-windows_manager' }),
      'it names pink-windows, of another stack',
    ],
    [
      'the parameter of the other shard',
      named('/gitlab/dedicated/runner/linux/purple/runner_token'),
      'it names linux/purple, of the other shard',
    ],
    [
      'the parameter of another stack',
      named('/gitlab/dedicated/runner/linux-large/pink/runner_token'),
      'it names /gitlab/dedicated/runner/linux-large/, of another stack',
    ],
    [
      'the status itself',
      named('/gitlab/dedicated/runner/linux/deployment_status'),
      'it names a parameter that the deployment itself keeps',
    ],
    [
      'a policy that reaches the other shard',
      built({
        policy: JSON.stringify({
          Statement: [
            { Resource: 'arn:aws:ssm:*:*:parameter/gitlab/dedicated/runner/linux/purple/*' },
          ],
        }),
      }),
      'it names linux/purple, of the other shard',
    ],
    [
      'a stack tag of another stack',
      built({ tags: { 'hosted-runner:stack': 'linux-large' } }),
      'its tag hosted-runner:stack is "linux-large", not "linux"',
    ],
    [
      'a shard tag of the other shard',
      built({ tags_all: { 'hosted-runner:shard': 'purple' } }),
      'its tag hosted-runner:shard is "purple", not "pink"',
    ],
    [
      'a shard tag in a list of tags',
      built({ tag: [{ key: 'hosted-runner:shard', propagate_at_launch: true, value: 'purple' }] }),
      'its tag hosted-runner:shard is "purple", not "pink"',
    ],
    [
      'a tag that only the apply will know',
      withChange({ after: { tags: {} }, unknown: { tags: { 'hosted-runner:shard': true } } }),
      'a tag of it is not known before the apply',
    ],
    [
      'an old name that was not ours',
      withChange({
        actions: ['update'],
        before: { name: 'purple-linux' },
        after: { name: 'pink-linux' },
      }),
      'it names purple-linux, of the other shard',
    ],
    [
      'a replacement of what is not ours',
      withChange({
        actions: ['delete', 'create'],
        before: { n: 'pink-windows' },
        after: { n: 'pink-linux' },
      }),
      'it names pink-windows, of another stack',
    ],
    [
      'the name as a key',
      built({ map: { 'purple-linux': 1 } }),
      'it names purple-linux, of the other shard',
    ],
    ['an import', withChange({ importing: { id: 'i-1' } }), 'it is imported'],
    [
      'an action nobody knows',
      withChange({ actions: ['teleport'] }),
      'its actions are not known here',
    ],
    ['no action at all', withChange({ actions: [] }), 'its actions are not known here'],
    [
      'two actions that do not go together',
      withChange({ actions: ['create', 'forget'] }),
      'its actions are not known here',
    ],
    [
      'a read of what is no data source',
      withChange({ actions: ['read'] }),
      'it is read, and it is no data source',
    ],
    [
      'a data source that is created',
      withChange({ mode: 'data' }),
      'it is a data source with an effect',
    ],
    [
      'a delete',
      withChange({ actions: ['delete'] }),
      'provision deletes nothing but what it replaces',
    ],
    [
      "the other shard's deposed object",
      withChange({ actions: ['delete'], before: { n: 'purple-linux' }, extra: { deposed: 'a1' } }),
      'it names purple-linux, of the other shard',
    ],
  ])('with %s', (_name, plan, reason) => {
    const actions = plan.resource_changes!.at(-1)!.change.actions.join(', ');
    const row = ['aws_thing.x', actions, reason].filter(Boolean).join(' | ');
    expect(refusalsOf(plan, 'provision')).toEqual([row]);
  });

  test.each<[string, Partial<RawPlan>, string]>([
    ['an error behind it', { errored: true }, 'it was made by a run that ended in an error'],
    ['something left for later', { deferred_changes: [{}] }, 'it holds changes that are deferred'],
    ['actions that it invokes', { action_invocations: [{}] }, 'it holds actions that it invokes'],
    [
      'a format of the future',
      { format_version: '2.0' },
      'its format 2.0 is not one that is known here (1.x)',
    ],
    [
      'no format',
      { format_version: undefined },
      'its format (none) is not one that is known here (1.x)',
    ],
    ['a word that it cannot be applied', { applyable: false }, 'it says that it cannot be applied'],
  ])('with %s', (_name, part, reason) => {
    const plan = { ...captured('first-build'), ...part };
    expect(refusalsOf(plan, 'provision')).toEqual([`(the plan) | ${reason}`]);
  });

  test('in which nothing is ours', () => {
    const plan = captured('first-build');
    for (const { change } of plan.resource_changes!) change.after = { input: 'network' };
    expect(refusalsOf(plan, 'provision')).toEqual([
      '(the plan) | nothing in it carries the name pink-linux',
    ]);
  });

  test.each([
    ['text', '"plan"'],
    ['a list', '[]'],
    ['changes that are no list', '{"format_version":"1.2","resource_changes":{}}'],
    ['a change without actions', '{"resource_changes":[{"address":"a","change":{}}]}'],
    ['a change without a change', '{"resource_changes":[{"address":"a"}]}'],
    ['nothing', ''],
  ])('that is no plan: %s', async (_name, text) => {
    const { parsePlan } = await import('../../src/terraform/plan-json.ts');
    expect(() => parsePlan(text)).toThrow('the saved plan: ');
  });
});
