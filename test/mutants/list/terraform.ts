import { type Mutant, mutantsOf } from '../mutant.ts';

/** What Terraform says or leaves, taken for more than it says. */
export const terraform: readonly Mutant[] = [
  ...mutantsOf('src/adapters/terraform/tfstate/state.ts', [
    {
      id: 'one empty state of two makes a shard absent',
      find: "(['present', 'unknown'] as const).find((one) => judged.includes(one)) ?? 'absent'",
      replace: "(['absent', 'unknown'] as const).find((one) => judged.includes(one)) ?? 'present'",
      tests: ['test/terraform/unsaved-state.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/planning.ts', [
    {
      id: 'a plan that somebody changes while it is judged is applied',
      find: '    if ((await readPlanFile(path)).digest !== saved.digest)\n',
      replace: "    if ((await readPlanFile(path)).digest === '')\n",
      tests: ['test/terraform/plans/guarded-driver.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/plan-file.ts', [
    {
      id: 'a plan of a living process is swept',
      find: "processes.isAlive(owner.toString()) !== 'dead'",
      replace: "processes.isAlive(owner.toString()) === 'alive'",
      tests: ['test/terraform/plans/killed-plan.test.ts'],
    },
    {
      id: 'a saved plan is readable by everybody',
      find: "{ mode: 0o600, flag: 'wx' }",
      replace: "{ mode: 0o644, flag: 'wx' }",
      tests: ['test/terraform/plans/killed-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/plan-json.ts', [
    {
      id: 'a plan without actions is one that does nothing',
      find: "  const actions = asList(change['actions'], 'actions');",
      replace: "  const actions = asList(change['actions'] ?? [], 'actions');",
      tests: ['test/terraform/plans/refused-plans.test.ts'],
    },
    {
      id: 'an errored plan is whole',
      find: "errored: plan['errored'] === true,",
      replace: "errored: plan['errored'] === 'yes',",
      tests: ['test/terraform/plans/refused-plans.test.ts'],
    },
    {
      id: 'what a plan defers is passed over',
      find: "      ...listed(plan['deferred_changes'], 'changes that are deferred'),\n",
      replace: '',
      tests: ['test/terraform/plans/refused-plans.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/tfstate/unsaved-state.ts', [
    {
      id: 'somebody else’s unsaved state is taken for the shard’s',
      find: '  if (found === undefined || found === mark) return undefined;',
      replace: '  if (found === undefined) return undefined;',
      tests: ['test/terraform/unsaved-state.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/tfstate/state.ts', [
    {
      id: 'a state that cannot be read is an empty one',
      find: "!Array.isArray(state['resources'])) return 'unknown';",
      replace: "!Array.isArray(state['resources'])) return 'absent';",
      tests: ['test/terraform/states.test.ts'],
    },
    {
      id: 'a resource whose instances cannot be read is none',
      find: "  if (built.some(({ instances }) => !Array.isArray(instances))) return 'unknown';\n",
      replace: "  if (built.some(({ instances }) => !Array.isArray(instances))) return 'absent';\n",
      tests: ['test/terraform/states.test.ts'],
    },
    {
      id: 'a state that cannot be read knows of no ids',
      find: "  if (judged !== 'present') return judged === 'absent' ? [] : 'unknown';",
      replace: "  if (judged !== 'present') return judged.length > 0 ? [] : 'unknown';",
      tests: ['test/terraform/states.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/environment.ts', [
    {
      id: 'Terraform sees every variable',
      find: '{ isOwn: (name) => allowed.test(name), ',
      replace: "{ isOwn: (name) => allowed.test(name) || name !== '', ",
      tests: ['test/terraform/seen-variables.test.ts'],
    },
    {
      id: 'a variable adds flags to Terraform’s commands',
      find: '|TF_APPEND_USER_AGENT|',
      replace: '|TF_APPEND_USER_AGENT|TF_CLI_ARGS\\w*|TF_WORKSPACE|',
      tests: ['test/terraform/seen-variables.test.ts'],
    },
    {
      id: 'a variable moves Terraform’s data to another folder',
      find: '    TF_DATA_DIR: dataDirectory,\n',
      replace: "    TF_DATA_DIR: environment['TF_DATA_DIR'] ?? dataDirectory,\n",
      tests: ['test/terraform/seen-variables.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/tfstate/adoption.ts', [
    {
      id: 'an id of an import is any text',
      find: '  return /^[\\w+=,.@/-]+$/.test(id);',
      replace: "  return id !== '';",
      tests: ['test/terraform/plans/adoption.test.ts'],
    },
    {
      id: 'import blocks outlive the plan',
      find: '  return act().finally(() => rm(file, { force: true }));',
      replace: '  return act();',
      tests: ['test/terraform/plans/adoption.test.ts'],
    },
    {
      id: 'import blocks of a living run are swept',
      find: "own.includes(stack) || processes.isAlive(process) === 'dead'",
      replace: "own.includes(stack) || process !== ''",
      tests: ['test/terraform/plans/adoption.test.ts'],
    },
    {
      id: 'what is replaced is adopted',
      find: "isData || actions.join() !== 'create'",
      replace: "isData || !actions.includes('create')",
      tests: ['test/terraform/plans/adoption.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/infrastructure.ts', [
    {
      id: 'a plan is carried out twice',
      find: "  plans.delete(plan.handle ?? '');\n",
      replace: '',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
    {
      id: 'a plan of the other shard is carried out',
      find: '  if (judged?.place.shard.shard === shard.shard) return judged;',
      replace: '  if (judged !== undefined) return judged;',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
    {
      id: 'a saved plan outlives its apply',
      find: '    yield* carryOut(options, judged, path);\n  } finally {\n    await clearRoom(path);',
      replace: '    yield* carryOut(options, judged, path);\n  } finally {\n    void clearRoom;',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/planning.ts', [
    {
      id: 'a saved plan outlives its judging',
      find: '  } finally {\n    await clearRoom(path);',
      replace: '  } finally {\n    void clearRoom;',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
    {
      id: 'a replacement is not held against what was named',
      find: 'whole.length > 0 ? whole : replacement.refusals',
      replace: 'whole',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/workplace.ts', [
    {
      id: 'a lock file that is committed is mended in a job’s checkout',
      find: "...((await hasLockFile(place)) ? ['-lockfile=readonly'] : []),",
      replace: '...((await hasLockFile(place)) ? [] : []),',
      tests: ['test/terraform/lock-file.test.ts'],
    },
    {
      id: 'both shards write one state where no backend is there',
      find: '  await checkBackend(options, place);\n',
      replace: '',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
    {
      id: 'a Terraform of an unknown version is new enough',
      find: '  return major > leastMajor || (major === leastMajor && minor >= leastMinor);',
      replace: '  return !(major < leastMajor) && !(major === leastMajor && minor < leastMinor);',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/run.ts', [
    {
      id: 'a Terraform that failed and said nothing has done its work',
      find: "    if (end.kind === 'exited' && end.code === 0) return undefined;",
      replace: "    if (end.kind === 'exited' && diagnostics.length === 0) return undefined;",
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/failure.ts', [
    {
      id: 'an apply that failed changed nothing',
      find: "    effect: touched ? 'unknown' : 'none',",
      replace: "    effect: touched ? 'none' : 'none',",
      tests: ['test/terraform/troubles.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/command/environment.ts', [
    {
      id: 'a user’s command sees GitLab’s token',
      find: '{ isOwn: isOfTool, ',
      replace: "{ isOwn: (name) => isOfTool(name) || name !== '', ",
      tests: ['test/terraform/seen-variables.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/command/outputs.ts', [
    {
      id: 'a command’s outputs are printed as progress',
      find: '      if (object === undefined) return [line];\n',
      replace: '      if (object === undefined || line.length > 0) return [line];\n',
      tests: ['test/command/infrastructure.test.ts', 'test/command/hostile-outputs.test.ts'],
    },
    {
      id: 'a command’s outputs are handed on with their values',
      find: 'Object.keys(outputs).map((name) => [name, notShown])',
      replace: 'Object.keys(outputs).map((name) => [name, notShown && outputs[name]])',
      tests: ['test/command/infrastructure.test.ts'],
    },
  ]),
];
