import { type Mutant, mutantsOf } from '../mutant.ts';

/** What Terraform says or leaves, taken for more than it says. */
export const terraform: readonly Mutant[] = [
  ...mutantsOf('src/terraform/state.ts', [
    {
      id: 'one empty state of two makes a shard absent',
      find: "(['present', 'unknown'] as const).find((one) => judged.includes(one)) ?? 'absent'",
      replace: "(['absent', 'unknown'] as const).find((one) => judged.includes(one)) ?? 'present'",
      tests: ['test/terraform/unsaved-state.test.ts'],
    },
  ]),
  ...mutantsOf('src/terraform/planning.ts', [
    {
      id: 'a plan that somebody changes while it is judged is applied',
      find: '    if ((await readPlanFile(path)).digest !== saved.digest)\n',
      replace: "    if ((await readPlanFile(path)).digest === '')\n",
      tests: ['test/terraform/guarded-driver.test.ts'],
    },
  ]),
  ...mutantsOf('src/terraform/plan-file.ts', [
    {
      id: 'a plan of a living process is swept',
      find: "processes.isAlive(owner.toString()) !== 'dead'",
      replace: "processes.isAlive(owner.toString()) === 'alive'",
      tests: ['test/terraform/killed-plan.test.ts'],
    },
    {
      id: 'a saved plan is readable by everybody',
      find: "{ mode: 0o600, flag: 'wx' }",
      replace: "{ mode: 0o644, flag: 'wx' }",
      tests: ['test/terraform/killed-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/terraform/plan-json.ts', [
    {
      id: 'a plan without actions is one that does nothing',
      find: "  const actions = asList(change['actions'], 'actions');",
      replace: "  const actions = asList(change['actions'] ?? [], 'actions');",
      tests: ['test/terraform/refused-plans.test.ts'],
    },
    {
      id: 'an errored plan is whole',
      find: "errored: plan['errored'] === true,",
      replace: "errored: plan['errored'] === 'yes',",
      tests: ['test/terraform/refused-plans.test.ts'],
    },
    {
      id: 'what a plan defers is passed over',
      find: "      ...listed(plan['deferred_changes'], 'changes that are deferred'),\n",
      replace: '',
      tests: ['test/terraform/refused-plans.test.ts'],
    },
  ]),
  ...mutantsOf('src/terraform/unsaved-state.ts', [
    {
      id: 'somebody else’s unsaved state is taken for the shard’s',
      find: '  if (found === undefined || found === mark) return undefined;',
      replace: '  if (found === undefined) return undefined;',
      tests: ['test/terraform/unsaved-state.test.ts'],
    },
  ]),
];
