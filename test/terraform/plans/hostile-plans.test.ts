import { describe, expect, test } from '@jest/globals';
import { type RawPlan, refusalsOf, withChange } from './plan-verdicts.ts';

const built = (after: unknown) => withChange({ after });
const named = (name: string) => built({ name });

describe('a hostile Terraform plan', () => {
  test.each<[string, RawPlan, string]>([
    [
      "the other shard's name",
      named('purple-linux_manager'),
      'it contains the name purple-linux, which belongs to the other shard',
    ],
    [
      "the other shard's name in capitals",
      named('Purple-Linux'),
      'it contains the name purple-linux, which belongs to the other shard',
    ],
    [
      "the other shard's name in prose",
      built({ description: 'talks to purple-linux' }),
      'it contains the name purple-linux, which belongs to the other shard',
    ],
    [
      "a stack whose name begins with this stack's name",
      named('pink-linux-large_x'),
      'it contains the name pink-linux-large, which belongs to another stack',
    ],
    [
      "a stack whose name ends with this stack's name",
      named('pink-my-linux'),
      'it contains the name pink-my-linux, which belongs to another stack',
    ],
    [
      'the other shard of that stack',
      named('purple-linux-large'),
      'it contains the name purple-linux-large, which belongs to the other shard',
    ],
    [
      'an ARN of another stack',
      built({ role: 'arn:aws:iam::123456789012:role/pink-windows_manager' }),
      'it contains the name pink-windows, which belongs to another stack',
    ],
    [
      'the parameter of the other shard',
      named('/gitlab/dedicated/runner/linux/purple/runner_token'),
      'it contains the path linux/purple, which belongs to the other shard',
    ],
    [
      'the parameter of another stack',
      named('/gitlab/dedicated/runner/linux-large/pink/runner_token'),
      'it contains the path /gitlab/dedicated/runner/linux-large/, which belongs to another stack',
    ],
    [
      'the status itself',
      named('/gitlab/dedicated/runner/linux/deployment_status'),
      'it contains the name of a parameter that hosted-runner manages',
    ],
    [
      'the hold, which stops everything',
      named('/gitlab/dedicated/runner/linux/deployment_hold'),
      'it contains the name of a parameter that hosted-runner manages',
    ],
    [
      'a shard tag of the other shard in a text of JSON',
      built({ launch: '{"tags":{"hosted-runner:shard":"purple"}}' }),
      'its tag hosted-runner:shard is "purple", not "pink"',
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
      'it contains the path linux/purple, which belongs to the other shard',
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
      'one of its tags is unknown before the apply',
    ],
    [
      'an old name of another owner',
      withChange({
        actions: ['update'],
        before: { name: 'purple-linux' },
        after: { name: 'pink-linux' },
      }),
      'it contains the name purple-linux, which belongs to the other shard',
    ],
    [
      "a replacement of another owner's resource",
      withChange({
        actions: ['delete', 'create'],
        before: { n: 'pink-windows' },
        after: { n: 'pink-linux' },
      }),
      'it contains the name pink-windows, which belongs to another stack',
    ],
    [
      'the name as a key',
      built({ map: { 'purple-linux': 1 } }),
      'it contains the name purple-linux, which belongs to the other shard',
    ],
    ['an import', withChange({ importing: { id: 'i-1' } }), 'it is imported'],
    ['an unknown action', withChange({ actions: ['teleport'] }), 'its actions are unknown'],
    ['no action at all', withChange({ actions: [] }), 'its actions are unknown'],
    [
      'two actions that contradict each other',
      withChange({ actions: ['create', 'forget'] }),
      'its actions are unknown',
    ],
    [
      'a read of a resource that is no data source',
      withChange({ actions: ['read'] }),
      'it is read, but it is not a data source',
    ],
    [
      'a data source that is created',
      withChange({ mode: 'data' }),
      'it is a data source with an effect',
    ],
    ['a delete', withChange({ actions: ['delete'] }), 'provision deletes only what it replaces'],
    [
      "the other shard's deposed object",
      withChange({ actions: ['delete'], before: { n: 'purple-linux' }, extra: { deposed: 'a1' } }),
      'it contains the name purple-linux, which belongs to the other shard',
    ],
  ])('causes a refusal because of %s', (_name, plan, reason) => {
    const actions = plan.resource_changes!.at(-1)!.change.actions.join(', ');
    const row = ['aws_thing.x', actions, reason].filter(Boolean).join(' | ');
    expect(refusalsOf(plan, 'provision')).toEqual([row]);
  });
});
