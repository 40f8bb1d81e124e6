import { type Mutant, mutantsOf } from '../mutant.ts';

/** Whose AWS’s resources are, and what its lists hold. */
export const cloud: readonly Mutant[] = [
  ...mutantsOf('src/adapters/aws/inventory/groups.ts', [
    {
      id: 'a group of another stack is ours',
      find: 'groups.filter(({ Tags: tags }) => isTagged(toTags(tags), keys, shard))',
      replace: 'groups.filter(({ Tags: tags }) => tags !== undefined)',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'no list of groups is an empty one',
      find: "    if (listed === undefined) throw lacking(autoScaling, what, 'no AutoScalingGroups');\n",
      replace: '    if (listed === undefined) continue;\n',
      tests: ['test/aws/answers/answers-of-any-shape.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/pages.ts', [
    {
      id: 'the first page of a list is the list',
      find: "    if (next === undefined || next === '') return;",
      replace: "    if (next === undefined || next !== '?') return;",
      tests: ['test/aws/failures.test.ts'],
    },
    {
      id: 'a list that never ends is whole',
      find: "  throw service.unexpected({ what, detail: `more than ${mostPages} pages`, effect: 'read' });\n",
      replace: '',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/inventory/ec2-tags.ts', [
    {
      id: 'resources beyond the first two hundred have no name',
      find: 'from < ids.length; from += mostIds',
      replace: 'from < 1; from += mostIds',
      tests: ['test/aws/answers/long-lists.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/inventory/tagged.ts', [
    {
      id: 'what carries the stack’s tag alone is the shard’s',
      find: ' && tags[keys.shardTag] === shard',
      replace: ' && shard.length > 0',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/access/roles.ts', [
    {
      id: 'a role loses its policies while a profile holds it',
      find: '  if (holder !== undefined)',
      replace: '  if (holder === null)',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'a part of IAM’s list is the list',
      find: '  if (answer?.IsTruncated === true)',
      replace: '  if (answer?.IsTruncated === null)',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/inventory/lifecycle-hooks.ts', [
    {
      id: 'the hook of somebody else’s machine is completed',
      find: 'all.filter(({ instanceId }) => managerIds.includes(instanceId))',
      replace: 'all.filter(({ instanceId }) => managerIds.length > 0 || instanceId)',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'a machine that goes on to end waits for its hook',
      find: "state === 'Terminating:Wait'",
      replace: "state?.startsWith('Terminating')",
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'a hook of a machine’s beginning is completed',
      find: "transition === 'autoscaling:EC2_INSTANCE_TERMINATING'",
      replace: "transition !== ''",
      tests: ['test/aws/whose-cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/inventory/inventory.ts', [
    {
      id: 'what this program never removes is removed',
      find: '  if (!removedKinds.includes(kind))',
      replace: "  if (kind === ('' as string))",
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'a security group is absent by the code of a network interface',
      find: '    answers: absent[kind],',
      replace: '    answers: Object.values(absent).flat(),',
      tests: ['test/aws/answers/refusal-outcomes.test.ts'],
    },
    {
      id: 'what has lost its tags since is removed',
      find: "  if (now === undefined) return 'absent';",
      replace: "  if (now === undefined && id === '') return 'absent';",
      tests: ['test/aws/whose-cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/access/simulation.ts', [
    {
      id: 'what no policy allows is allowed',
      find: "decision !== 'allowed'",
      replace: "decision === 'explicitDeny'",
      tests: ['test/aws/access/simulated.test.ts'],
    },
    {
      id: 'an action of which IAM does not speak is allowed',
      find: 'if (ofAction.length === 0 || !isTold || answer',
      replace: 'if (!isTold || answer',
      tests: ['test/aws/access/simulated.test.ts'],
    },
  ]),
];
