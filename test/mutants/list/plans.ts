import { type Mutant, mutantsOf } from '../mutant.ts';

/** Plans that touch what is not the shard’s. */
export const plans: readonly Mutant[] = [
  ...mutantsOf('src/domain/plan/plan-guard.ts', [
    {
      id: 'a plan that was made from another directory is applied',
      find: 'refusals.length > 0 ? refusals : judgeOwnership(request)',
      replace: 'refusals.length > 0 || purpose !== undefined ? refusals : judgeOwnership(request)',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a plan of a format that nobody knows is judged',
      find: '  if (!/^1\\.\\d+$/.test(formatVersion)) {',
      replace: '  if (!/^\\d+\\.\\d+$/.test(formatVersion)) {',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a plan that is not complete is whole',
      find: "  if (complete === false) reasons.push('it is not complete');\n",
      replace: "  if (complete === undefined) reasons.push('it is not complete');\n",
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a resource that is moved is ours',
      find: 'previousAddress !== undefined && previousAddress !== address',
      replace: 'previousAddress !== undefined && previousAddress === address',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'provision deletes',
      find: "  if (actions === 'delete' && !change.isDeposed) {",
      replace: "  if (actions === 'delete' && change.isDeposed) {",
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a cleanup builds',
      find: "  if (purpose === 'cleanup') return actions === 'delete' ? '' : 'a cleanup only deletes';",
      replace: "  if (purpose === 'cleanup') return '';",
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'what stood there before is not judged',
      find: '      judgeValue(scope, change.before) ||\n',
      replace: '',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'JSON inside of a text is not judged',
      find: 'judgeText(scope, value) || judgeValue(scope, parsed(value))',
      replace: 'judgeText(scope, value)',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a tag that only the apply will know is ours',
      find: '[scope.stackTag, scope.shardTag].includes(key)',
      replace: "key === '' && [scope.stackTag, scope.shardTag].includes(key)",
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
  ]),
  ...mutantsOf('src/domain/plan/plan-scope.ts', [
    {
      id: 'a name that begins like the stack’s own is ours',
      find: 'if (name.shard === shard && name.rest === runnerName) return true;',
      replace: 'if (name.shard === shard && name.rest.startsWith(runnerName)) return true;',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a plan may touch the deployment’s own parameters',
      find: '    if (/^deployment_(?:status|record|lock|hold)',
      replace: '    if (/^deployment_(?:status|record|lock)',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'the other shard’s address is ours',
      find: '  return words.includes(other)\n',
      replace: '  return words.length > 99\n',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
    {
      id: 'a parameter of another stack is ours',
      find: '    if (stack !== undefined && stack !== runnerName) {',
      replace: '    if (stack !== undefined && !stack.startsWith(runnerName)) {',
      tests: [
        'test/terraform/plans/refused-plans.test.ts',
        'test/terraform/plans/hostile-plans.test.ts',
      ],
    },
  ]),
  ...mutantsOf('src/domain/plan/plan-replace.ts', [
    {
      id: 'a replacement may take with it what it does not force',
      find: '    .filter((change) => !isForced(change))',
      replace: '    .filter((change) => isForced(change) && false)',
      tests: ['test/terraform/plans/replacement.test.ts', 'test/operator/recover/replace.test.ts'],
    },
    {
      id: 'a replacement that builds nothing is one',
      find: "  if (built.length === 1) return '';",
      replace: "  if (built.length <= 1) return '';",
      tests: ['test/terraform/plans/replacement.test.ts', 'test/operator/recover/replace.test.ts'],
    },
  ]),
];
