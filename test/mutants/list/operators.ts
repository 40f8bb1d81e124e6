import { type Mutant, mutantsOf } from '../mutant.ts';

/** What a person in an incident is spared. */
export const operators: readonly Mutant[] = [
  ...mutantsOf('src/operator/confirm.ts', [
    {
      id: 'any word that is typed is the shard',
      find: '  if (typed !== shard) throw',
      replace: "  if (typed === '') throw",
      tests: ['test/operator/recover/recover.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/doctor/repair.ts', [
    {
      id: 'doctor takes any word but no for a yes',
      find: "  if (typed !== 'yes')",
      replace: "  if (typed === 'no')",
      tests: ['test/operator/doctor/doctor.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/lock-owner.ts', [
    {
      id: 'an owner whom nobody can judge is at work',
      find: "unknown: 'not_known' }",
      replace: "unknown: 'at_work' }",
      tests: ['test/operator/status-lock.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/choice.ts', [
    {
      id: 'what is asked for by name is done whatever is in its way',
      find: "    if (judged?.kind === 'can_help' || judged === undefined) return method;",
      replace: '    return method;',
      tests: ['test/operator/recover/recover.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/doctor/repair.ts', [
    {
      id: 'doctor repairs a stack that is held',
      find: '  await refuseWhenHeld(context);\n',
      replace: '',
      tests: ['test/operator/doctor/doctor.test.ts'],
    },
    {
      id: 'doctor writes over a status that came meanwhile',
      find: '    version: 0,\n',
      replace: '    version: (await ports.parameters.find(names.status))?.version ?? 0,\n',
      tests: ['test/operator/doctor/doctor.test.ts'],
    },
    {
      id: 'doctor writes a status beside a record that has moved',
      find: '  await context.journal.fence();\n',
      replace: '',
      tests: ['test/operator/doctor/doctor.test.ts'],
    },
    {
      id: 'doctor sweeps what has come since its plan',
      find: "  if (there !== 'no') {",
      replace: "  if (there === 'unknown') {",
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'doctor takes a lock and keeps it',
      find: '  await lock.release(ports, lock.record);\n',
      replace: '',
      tests: ['test/operator/doctor/broken-stacks.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/terminate.ts', [
    {
      id: 'terminate goes on before the machine has ended',
      find: '  await waitForEnd(context, instance.id);\n',
      replace: '',
      tests: ['test/operator/recover/terminate.test.ts'],
    },
    {
      id: 'terminate leaves the evidence of the machine that it ends',
      find: '  await voidEvidence(context, shard);\n',
      replace: '',
      tests: ['test/operator/recover/terminate.test.ts'],
    },
    {
      id: 'terminate goes on though the rehearsal was denied',
      find: "  if (rehearsed.kind === 'denied') throw refuse(context, rehearsed.reason);\n",
      replace: '',
      tests: ['test/operator/recover/terminate.test.ts'],
    },
    {
      id: 'terminate leaves a canary behind on the machine',
      find: '  await cancelEveryCanary(context);\n',
      replace: '',
      tests: ['test/operator/recover/terminate.test.ts'],
    },
    {
      id: 'terminate ends the only machine whatever id was named',
      find: 'id === undefined ? listed : listed.filter((one) => one.id === id)',
      replace: 'listed',
      tests: ['test/operator/ways-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/replace.ts', [
    {
      id: 'a plan that replaces nothing is a replacement',
      find: "  if (plan.kind === 'empty') {",
      replace: "  if (plan.summary === '') {",
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'replace builds anew what nobody named',
      find: 'shard }, { replace }),',
      replace: 'shard }, { replace: [...replace] .slice(1) }),',
      tests: ['test/operator/ways-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/set-hold.ts', [
    {
      id: 'a second hold is taken for made',
      find: '    if (latest === undefined) throw notCreated(context);\n',
      replace: "    if (latest === undefined) return log.wait('held');\n",
      tests: ['test/operator/hold.test.ts'],
    },
    {
      id: 'a second hold is written over the first',
      find: '    const latest = await refuseWhenHeld(context);',
      replace: '    const latest = await ports.parameters.find(names.hold);',
      tests: ['test/operator/hold.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/in-parallel.ts', [
    {
      id: 'independent sources are asked in turn',
      find: '  const ends = await Promise.allSettled(asked.map(async (ask) => ask()));\n',
      replace:
        '  const ends: PromiseSettledResult<unknown>[] = [];\n  for (const ask of asked) ends.push(...(await Promise.allSettled([ask()])));\n',
      tests: ['test/operator/at-once.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/doctor/gather.ts', [
    {
      id: 'each shard asks Terraform beside the other in one folder',
      find: '          building,\n',
      replace: '          building: inTurn(),\n',
      tests: ['test/operator/doctor/one-tool-at-a-time.test.ts'],
    },
    {
      id: 'who judges service asks Terraform beside doctor in one folder',
      find: 'askService(askingInTurn(context, building), shard, atOnce)',
      replace: 'askService(askingInTurn(context, inTurn()), shard, atOnce)',
      tests: ['test/operator/doctor/one-tool-at-a-time.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/look-once.ts', [
    {
      id: 'a shard that takes no job is healthy',
      find: "kind === 'healthy' && isClosed ? 'draining' : kind",
      replace: "kind === 'unhealthy' && isClosed ? 'draining' : kind",
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'jobs of a host that did not tell are none',
      find: '  if (reports.length < watch.looks.length || reports.length === 0) return undefined;',
      replace: '  if (reports.length === 0) return undefined;',
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'a probe starts a canary',
      find: "canary: 'off', observe: 'off'",
      replace: "observe: 'off'",
      tests: ['test/operator/ways-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/renew.ts', [
    {
      id: 'a new token outlives a shard that is retired meanwhile',
      find: "  if ((await findOne(context, shard)) !== undefined) return '';",
      replace: "  if (name !== '') return '';",
      tests: ['test/scenarios/github/github-tokens.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/renewal.ts', [
    {
      id: 'a fleet that can be gone back to gets no new token',
      find: '    isReturnable(record.deployment.phase) &&',
      replace: '    isReturnable(record.deployment.phase) && open.length > 9 &&',
      tests: ['test/scenarios/github/github-tokens.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/candidate/new-token.ts', [
    {
      id: 'a rollback goes back to hosts with a token that has ended',
      find: "traits.tokens !== 'expiring') return;",
      replace: "traits.tokens === 'expiring') return;",
      tests: ['test/scenarios/github/github-tokens.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/facts.ts', [
    {
      id: 'a host that does not tell its jobs has none',
      find: "hosts === undefined || hostWords.some((word) => word === 'unknown')",
      replace: 'hosts === undefined || hostWords.some((word) => word === undefined)',
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'hosts that cannot be listed have no jobs',
      find: "hosts === undefined || hostWords.some((word) => word === 'unknown')",
      replace: "hostWords.some((word) => word === 'unknown')",
      tests: ['test/operator/ways-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/app/question.ts', [
    {
      id: 'Ctrl-C at a question is a bug of ours',
      find: '      throw knownError(error, { signal, command, typed, runner });',
      replace: '      throw error;',
      tests: ['test/system/question.test.ts'],
    },
  ]),
];
