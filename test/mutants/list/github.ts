import { type Mutant, mutantsOf } from '../mutant.ts';

/** What GitHub says, taken for more than it says. */
export const github: readonly Mutant[] = [
  ...mutantsOf('src/adapters/github/runners/retire.ts', [
    {
      id: 'a removal that was refused counts as made',
      find: "    return { outcome: 'unknown', detail: error.message };",
      replace: "    return { outcome: 'removed', detail: error.message };",
      tests: ['test/github/rate-limits.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/runners.ts', [
    {
      id: 'one reading of a list of several pages is enough',
      find: '    if (isWhole && (pages === 1 || now === before)) return seen(runners);',
      replace: '    if (isWhole) return seen(runners);',
      tests: ['test/github/runners/churning-lists.test.ts'],
    },
    {
      id: 'a runner that is refused as busy is removed',
      find: "      return 'busy';\n    }\n    throw error;",
      replace: "      return 'removed';\n    }\n    throw error;",
      tests: ['test/github/rate-limits.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/groups.ts', [
    {
      id: 'a quarantine that customers may use is taken for one',
      find: 'admitted.find((one) => one.toLowerCase() !== to?.toLowerCase())',
      replace: "admitted.find((one) => one === 'nobody')",
      tests: ['test/github/runners/groups.test.ts'],
    },
    {
      id: 'a group is taken for restricted by another repository’s workflow',
      find: 'workflow.toLowerCase().startsWith(`${repository.toLowerCase()}/`)',
      replace: 'workflow.toLowerCase().startsWith(repository.toLowerCase())',
      tests: ['test/github/runners/groups.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/placement.ts', [
    {
      id: 'a runner that drains stays in the customers’ group',
      find: "intake === 'closed' ? apart.closed : group",
      replace: 'group',
      tests: ['test/github/runners/groups.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/version-ending.ts', [
    {
      id: 'what nobody knew of a version is not asked again',
      find: "if (ending.kind !== 'unknown') known",
      replace: 'known',
      tests: ['test/github/runners/version-ending.test.ts'],
    },
    {
      id: 'a version of which GitHub does not speak lives',
      find: "    return { kind: 'unknown', detail: error.message };",
      replace: "    return { kind: 'none' };",
      tests: ['test/github/runners/version-ending.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/labels.ts', [
    {
      id: 'labels are told apart by upper and lower case',
      find: 'labels.map((label) => label.toLowerCase())',
      replace: 'labels.map((label) => label.trim())',
      tests: ['test/github/runners/labels.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/closing.ts', [
    {
      id: 'a shard is closed though a runner of it is in the customers’ group',
      find: 'labelsOf(one).length === 0 && placement.isThere(one)',
      replace: 'labelsOf(one).length === 0',
      tests: ['test/github/runners/groups.test.ts'],
    },
    {
      id: 'a runner that registers as its fleet is closed counts as opened by a person',
      find: '  if (closedUpTo !== undefined && id > closedUpTo) return true;\n',
      replace: '',
      tests: ['test/github/runners/registered-late.test.ts'],
    },
    {
      id: 'a label that a person puts back counts as a late registration',
      find: "ephemeral === true && status === 'offline' && !busy",
      replace: 'ephemeral === true',
      tests: ['test/github/runners/registered-late.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/registry.ts', [
    {
      id: 'a candidate that was described before there were groups registers among the customers',
      find: 'astray ? [] : differs',
      replace: 'differs',
      tests: ['test/github/runners/groups.test.ts'],
    },
    {
      id: 'a runner with a label of its own can be closed',
      find: '    refuseOwnLabels(one, labels);\n',
      replace: '',
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'runners keep their labels while the intake is closed',
      find: '  const labels = effectiveLabels(wished);\n',
      replace:
        '  const labels = effectiveLabels({ ...wished, labels: wished.labels, intake: fleet.intake });\n',
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'a runner that boots in between takes the old labels',
      find: '  await options.fleets.write(id, wished);\n',
      replace: '  if (runners.length === 0) await options.fleets.write(id, wished);\n',
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'one busy runner of several is overlooked',
      find: "runners.some(({ busy }) => busy) ? 'active' : 'idle'",
      replace: "runners.length > 0 && runners.every(({ busy }) => busy) ? 'active' : 'idle'",
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'a runner that still lacks its labels is routed',
      find: 'astray ? [] : differs ? sharedLabels(served) : fleet.labels',
      replace: 'astray ? [] : differs && served.length > 99 ? sharedLabels(served) : fleet.labels',
      tests: ['test/github/runners/labels.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/fleet.ts', [
    {
      id: 'a stale read of a fleet counts for more than what was just written',
      find: 'if ((found?.version ?? 0) < own.version) return own.fleet;',
      replace: 'if ((found?.version ?? 0) < own.version - 99) return own.fleet;',
      tests: ['test/github/runners/fleet.test.ts'],
    },
    {
      id: 'what somebody else wrote of a fleet later is not seen',
      find: 'if ((found?.version ?? 0) < own.version) return own.fleet;',
      replace: 'if ((found?.version ?? 0) < own.version + 99) return own.fleet;',
      tests: ['test/github/runners/fleet.test.ts'],
    },
    {
      id: 'a runner that boots while the intake is closed takes its labels',
      find: "  return intake === 'closed' ? [] : labels;",
      replace: "  return intake === 'closed' && labels.length > 99 ? [] : labels;",
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'what cannot be read of a shard’s runners is that there are none',
      find: '  if (parsed.success) return parsed.data;\n  throw',
      replace:
        '  if (parsed.success) return parsed.data;\n  if (name.length > 0) return undefined;\n  throw',
      tests: ['test/github/runners/labels.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/retire.ts', [
    {
      id: 'a shard is forgotten while runners of it are left',
      find: "  if (left.length > 0) return 'busy';\n",
      replace: '',
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'a runner that nobody named is removed',
      find: ' && workers.includes(runner.id),',
      replace: ' && workers.length > 0,',
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'a runner of another shard is removed by its id',
      find: '(runner) => isRunnerOf(runner.name, id) && workers',
      replace: "(runner) => id !== '' && workers",
      tests: ['test/github/runners/labels.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/scope.ts', [
    {
      id: 'a runner of a stack whose name begins like ours is ours',
      find: 'name.startsWith(prefix) && instancePart.test(name.slice(prefix.length))',
      replace: 'name.startsWith(prefix)',
      tests: ['test/github/runners/labels.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/jobs.ts', [
    {
      id: 'a job’s name enters as GitHub’s customer wrote it',
      find: '  name: printableName.nullish(),',
      replace: '  name: z.string().nullish(),',
      tests: ['test/github/runners/names.test.ts'],
    },
    {
      id: 'a busy runner whose job is not listed has none',
      find: 'busy.map((runner) => named.get(runner.id) ?? unnamed(runner, question.scope))',
      replace: 'busy.flatMap((runner) => named.get(runner.id) ?? [])',
      tests: ['test/github/runners/labels.test.ts'],
    },
    {
      id: 'one busy runner with a name ends the search for the others',
      find: 'busy.every((runner) => found.has(runner.id))',
      replace: 'busy.some((runner) => found.has(runner.id))',
      tests: ['test/github/runs/long-lists.test.ts'],
    },
    {
      id: 'a job that has completed is the runner’s job',
      find: " || one.status === 'completed') continue;",
      replace: ') continue;',
      tests: ['test/github/runs/canary-ends.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runs/canary-workflow.ts', [
    {
      id: 'a canary that was skipped has succeeded',
      find: "  if (conclusion === 'success') return 'success';",
      replace: "  if (conclusion !== 'failure') return 'success';",
      tests: ['test/github/runs/canary-ends.test.ts'],
    },
    {
      id: 'a canary’s older run is the one that was just begun',
      find: 'newest !== undefined && newest.id > last ? seen',
      replace: 'newest !== undefined && last >= 0 ? seen',
      tests: ['test/github/runs/canary-ends.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/client.ts', [
    {
      id: 'a token that GitHub hands out is not masked',
      find: '    learnToken(answer.body, redactor);\n',
      replace: '',
      tests: ['test/github/runs/canary-ends.test.ts'],
    },
    {
      id: 'an App’s key is not masked',
      find: '  redactor.add(privateKey);\n',
      replace: '',
      tests: ['test/github/authentication.test.ts'],
    },
    {
      id: 'a refused token is tried for ever',
      find: 'isRefusedToken(one.status) && clock.elapsed() < freshUntil ? notYet()',
      replace: 'isRefusedToken(one.status) && clock.elapsed() < 600_000 ? notYet()',
      tests: ['test/github/authentication.test.ts'],
    },
  ]),
];
