import { type Mutant, mutantsOf } from '../mutant.ts';

/** What a rollback and an activation may not do. */
export const takeovers: readonly Mutant[] = [
  ...mutantsOf('src/stages/switch/takeover.ts', [
    {
      id: 'an activation keeps the evidence of before',
      find: '  const { evidence: _, pausedByOther: __, ...entry } = withChange(shardEntry(record, shard), named);',
      replace:
        '  const { pausedByOther: __, ...entry } = withChange(shardEntry(record, shard), named);',
      tests: ['test/scenarios/pipelines/takeovers.test.ts'],
    },
    {
      id: 'an activation forgets that our drain has closed the old shard',
      find: '    ...closingOf(record, retiring),\n',
      replace: '',
      tests: ['test/operator/activated-in-a-drain.test.ts'],
    },
    {
      id: 'an activation that fails leaves what our drain has closed',
      find: 'await endingServed(context, () => promote(context, candidate));',
      replace: 'await promote(context, candidate);',
      tests: ['test/operator/activated-in-a-drain.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/recover.ts', [
    {
      id: 'another pipeline provisions the candidate of a deployment that is not its own',
      find: "if (chosen === 'rerun' && !isOurs(context, record)) throw",
      replace: "if (chosen === 'rerun' && isOurs(context, record)) throw",
      tests: ['test/operator/recover/foreign-pipeline.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/observe/shard-view.ts', [
    {
      id: 'beside a proven shard another one is printed to be activated',
      find: '  if (proven.length > 0) return proven;\n',
      replace: '  if (proven.length > 2) return proven;\n',
      tests: ['test/operator/illegible-status.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/takeover/activation-check.ts', [
    {
      id: 'where the promoted shard is dead the way back is not printed',
      find: '  if (back === undefined) return finishes();\n',
      replace: '  if (back !== null) return finishes();\n',
      tests: ['test/errors/printing-stacks.test.ts'],
    },
    {
      id: 'what a rollback has stopped is printed to be activated, and refused',
      find: "if (back === 'rollback') return",
      replace: "if (back === 'deploy') return",
      tests: ['test/scenarios/service/rollback-turned-around.test.ts'],
    },
    {
      id: 'an activation begins with a shard that has no machine',
      find: '  if (ended !== undefined && record !== undefined) {',
      replace: '  if (ended !== undefined && record === undefined) {',
      tests: ['test/operator/activate.test.ts'],
    },
    {
      id: 'an activation of what is active and serves begins a deployment',
      find: '  if (!isActive || !isWhole) return begins;',
      replace: '  if (!isActive || isWhole) return begins;',
      tests: ['test/operator/activate.test.ts'],
    },
    {
      id: 'a shard whose tags somebody has changed is whole, and not given them back',
      find: '    takesConfiguredJobs(registration, context.settings) &&\n',
      replace: '',
      tests: ['test/operator/doctor/tagged-by-hand.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/nothing-serves.ts', [
    {
      id: 'where nobody serves what is refused is printed to finish with',
      find: "  if ((await glanceAtService(context, candidate)).kind !== 'disproven') return [finish];\n",
      replace: '  if (candidate.length > 0) return [finish];\n',
      tests: ['test/operator/recover/both-gone.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/takeover/activate.ts', [
    {
      id: 'an activation that cannot be takes the lock first',
      find: '  await refuseAtRest(context, () => lookAhead(context, activation, free));\n',
      replace:
        '  await (activation === undefined ? lookAhead(context, activation, free) : free);\n',
      tests: ['test/operator/at-once.test.ts'],
    },
    {
      id: 'activate needs Terraform also where the registry has answered',
      find: "retiring === undefined ? await findLeft(context, other) : 'something'",
      replace:
        "await findLeft(context, other).then((left) => retiring === undefined ? left : 'something')",
      tests: ['test/operator/activate.test.ts'],
    },
    {
      id: 'an activation that was opened twice cannot be stayed with',
      find: ' && !isLeftToPerson(reopened?.times ?? 0)',
      replace: '',
      tests: ['test/errors/printing-stacks.test.ts'],
    },
    {
      id: 'an activation that is typed again does not look at the id that is named',
      find: 'if (begun !== undefined && chosenByName === undefined) return begun;',
      replace: 'if (begun !== undefined) return begun;',
      tests: ['test/operator/activated-again.test.ts'],
    },
    {
      id: 'an activation that was taken back is never begun anew',
      find: "  if (isBefore(deployment.phase, 'promoted')) return undefined;\n",
      replace: '',
      tests: ['test/operator/activated-again.test.ts'],
    },
    {
      id: 'an activation goes on with another runner than was named',
      find: '    refuseInstead(context, record, chosen);\n',
      replace: '',
      tests: ['test/operator/activated-again.test.ts'],
    },
    {
      id: 'activate takes a runner of the other shard',
      find: '  await refuseAnother(context, { shard, registration: chosen, record, ofOther });\n',
      replace: '',
      tests: ['test/operator/activate.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/takeover/chosen-registration.ts', [
    {
      id: 'an activation retires whatever is listed first for the other shard',
      find: '  const known = ofOther.find(({ id }) => id === recorded);\n',
      replace: '  const [known] = ofOther;\n',
      tests: ['test/operator/retired-by-activation.test.ts'],
    },
    {
      id: 'a mistyped id is taken for the runner of the shard',
      find: '  if (elsewhere !== undefined)\n',
      replace: '  if (elsewhere === null)\n',
      tests: ['test/operator/runner-made-by-hand.test.ts'],
    },
    {
      id: 'a machine that has ended is waited for to say whose a runner is',
      find: 'silent.filter((host) => !ended.has(host))',
      replace: 'silent',
      tests: ['test/operator/hosts-of-the-shard.test.ts'],
    },
    {
      id: 'a host that does not say whose manager it runs is counted as another runner’s',
      find: "if (report.systemId === undefined) return 'unnamed'",
      replace: "if (report.systemId === undefined) return 'another'",
      tests: ['test/operator/hosts-of-the-shard.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/retreat.ts', [
    {
      id: 'a runner that was given back is closed once more by the next run',
      find: 'if (!isGoingBack(context, candidate)) await takeOut',
      replace: 'await takeOut',
      tests: ['test/operator/given-back.test.ts'],
    },
    {
      id: 'a runner that is given back and is in the way of another is not told of',
      find: 'if (routingBefore === undefined) return {};',
      replace: 'if (routingBefore !== undefined) return {};',
      tests: ['test/operator/runner-made-by-hand.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/removal/deregister.ts', [
    {
      id: 'a runner that was given back is drained once more by the next run',
      find: '  if (isGoingBack(context, retiring)) return;\n',
      replace: '',
      tests: ['test/operator/given-back.test.ts'],
    },
    {
      id: 'a runner that a person has made is removed by the retreat of its activation',
      find: '  if (routingBefore !== undefined) return;\n',
      replace: '',
      tests: ['test/operator/runner-made-by-hand.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/removal/destroy.ts', [
    {
      id: 'a runner that a person has made is left paused and with the tag of the canary',
      find: '  await giveBack(context, shard);\n',
      replace: '',
      tests: ['test/operator/runner-made-by-hand.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/refuse-stage.ts', [
    {
      id: 'an older pipeline takes the lock to be told so',
      find: "    if (stage === 'prepare') return refuseOlder(context, record);\n",
      replace: "    if (stage === 'prepare') return;\n",
      tests: ['test/operator/at-once.test.ts'],
    },
    {
      id: 'a stage out of its order takes the lock to be told so',
      find: '  await planInOrder(context, judged.record, { stage, ...options });\n',
      replace: '',
      tests: ['test/operator/at-once.test.ts'],
    },
    {
      id: 'what is refused by an edited status leaves customers without a runner',
      find: '    if (leftClosed(context) !== undefined) return;\n',
      replace: '',
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/takeover/rollback.ts', [
    {
      id: 'a rollback of nothing takes the lock first',
      find: '  await refuseAtRest(context, () => lookBack(context, free));\n',
      replace: '  await (context === undefined ? lookBack(context, free) : free);\n',
      tests: ['test/operator/at-once.test.ts'],
    },
    {
      id: 'a rollback goes back to a shard whose runners are being removed',
      find: '  if (shardEntry(record, shard).removal !== undefined) {',
      replace: '  if (shardEntry(record, shard).removal === null) {',
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'a rollback of a drained shard needs no word of its hosts',
      find: '    if (!mayBeStopped(record.deployment)) return true;',
      replace: "    if (phase !== 'done') return true;",
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'a rollback goes back to a shard without a process',
      find: "  if (found.kind !== 'none') return found.kind === 'runs';",
      replace: "  if (found.kind.length > 0) return found.kind === 'runs';",
      tests: ['test/operator/ways-back.test.ts'],
    },
  ]),
];
