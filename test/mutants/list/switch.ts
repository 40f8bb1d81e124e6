import { mutantsOf } from '../mutant.ts';

/** What is asked before anything, the write of `deployment_status`, and whether a person took it back. */
export const statusSwitch = [
  ...mutantsOf('src/stages/candidate/preflight.ts', [
    {
      id: 'a question without an answer counts as a missing permission',
      find: '    if (lacksNothing(error)) throw error;\n    return [`the canary',
      replace: '    if (endsRun(error)) throw error;\n    return [`the canary',
    },
  ]),
  ...mutantsOf('src/stages/switch/switch-status.ts', [
    {
      id: 'a status that a person changed is overwritten',
      find: "    if (kind === 'activate' || (said === expected && status.kind !== 'invalid')) return;\n",
      replace: "    if (status.kind !== 'absent' || said === expected) return;\n",
    },
    {
      id: 'the status is written without the version that was read',
      find: '    version,\n    allowedPattern',
      replace:
        '    version: (await ports.parameters.find(names.status))?.version ?? 0,\n    allowedPattern',
    },
    {
      id: 'the status names the retiring shard',
      find: '  const value = formatStatus(settings.shards, candidate);',
      replace: '  const value = formatStatus(settings.shards, expected ?? candidate);',
    },
    {
      id: 'a status that a person turned back is switched again',
      find: '    if (reason === undefined) return;',
      replace: "    if (reason !== '') return;",
      tests: ['test/scenarios/service/turned-back.test.ts'],
    },
    {
      id: 'a status whose history is cut off is switched',
      find: '    if (found === undefined) return `',
      replace: '    if (found === undefined) return undefined ?? `${past}` ? undefined : `',
      tests: ['test/scenarios/service/turned-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/walk.ts', [
    {
      id: 'finalize leaves closed what was closed before a promotion that is not proven',
      find: '  if (isPromotionPending(context)) await openLeftClosed(context);\n',
      replace: '',
      tests: ['test/operator/activated-in-a-drain.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/removal/stop.ts', [
    {
      id: 'who ends processes does not note that it began to',
      find: "  if (hosts.some(({ agent }) => agent !== 'lost')) await noteStopping(context, shard);\n",
      replace: '',
      tests: ['test/scenarios/service/denied-after-the-drain.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/way-back.ts', [
    {
      id: 'where hosts are not asked, a dead shard is gone back to',
      find: "if (ended !== undefined) return { kind: 'none', reason: ended };",
      replace: '',
      tests: ['test/operator/no-machine.test.ts'],
    },
    {
      id: 'what begins, or cannot be told, has no process to go back to',
      find: "if (report.process === 'starting' || report.process === 'unknown')\n",
      replace: 'if (report.process === undefined)\n',
      tests: ['test/operator/ways-back.test.ts'],
    },
    {
      id: 'a host that nobody can ask has no process to go back to',
      find: "return { kind: 'unknown', reason: [...silent.values()].join(', ') };",
      replace: "return { kind: 'none' };",
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/reopen.ts', [
    {
      id: 'what a retreat has closed is given back to nobody',
      find: '  if (takenBackFromCustomers(context) === shard) return true;\n',
      replace: '',
      tests: ['test/scenarios/candidate/retreat.test.ts'],
    },
    {
      id: 'what a retreat has closed is opened without its production tags',
      find: '  if (isTakenBack) await routeBack(context, registration);\n',
      replace: '',
      tests: ['test/scenarios/candidate/retreat.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/retreat.ts', [
    {
      id: 'what a person has paused before a retreat is opened as if the retreat had closed it',
      find: 'isTheirs ? withClosedByPerson(record, candidate) : record',
      replace: 'isTheirs ? record : record',
      tests: ['test/scenarios/candidate/retreat.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/intake.ts', [
    {
      id: 'what we have closed stays closed where a person had paused it before',
      find: '  if (!found.value.paused) await claimClosing(context, shard);\n',
      replace: '',
      tests: ['test/scenarios/drain/paused-by-person.test.ts'],
    },
    {
      id: 'a run that goes on with a drain has nothing of the one before under way',
      find: 'if (!mayBeUnderWay(deployment) ||',
      replace: 'if (mayBeUnderWay(deployment) ||',
      tests: ['test/scenarios/drain/late-pause.test.ts'],
    },
    {
      id: 'what a person opens in a retreat is closed again',
      find: 'isSeenClosed && takenBackFromCustomers(context) === shard',
      replace: 'isSeenClosed && shard === undefined',
      tests: ['test/scenarios/candidate/retreat.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/drain/closing.ts', [
    {
      id: 'a pause of ours that lands late is a person’s',
      find: 'mayLandLate(record.deployment) ? record : withoutClosing(record)',
      replace: 'withoutClosing(record)',
      tests: ['test/scenarios/drain/late-pause.test.ts'],
    },
    {
      id: 'a late pause of ours is a person’s in the retreat of what was gone back to',
      find: 'closingOf(before, candidate).pauseUnansweredAt !== undefined',
      replace: 'closingOf(before, candidate) === undefined',
      tests: ['test/scenarios/drain/late-pause.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/drain.ts', [
    {
      id: 'what a person has paused before its drain is opened as if we had',
      find: 'found.isTheirs ? withClosedByPerson(before, retiring) : before',
      replace: 'found.isTheirs ? before : before',
      tests: ['test/scenarios/drain/paused-by-person.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/removal/last-look.ts', [
    {
      id: 'what a person opens after the last look of the drain is removed',
      find: '  if (isOpen) await refuseOpened(context, shard, true);\n',
      replace: '',
      tests: ['test/scenarios/drain/opened-late.test.ts'],
    },
    {
      id: 'a job that has come since the drain was proven loses its registration',
      find: 'look.hostsGone ? undefined : whyBusy(look, wordsOf(context))',
      replace: 'undefined',
      tests: ['test/scenarios/drain/opened-late.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/irreversible.ts', [
    {
      id: 'what a retreat has taken from customers is removed while nobody serves',
      find: '  if (takenBackFromCustomers(context) === shard)\n',
      replace: '  if (shard === undefined)\n',
      tests: ['test/scenarios/candidate/retreat.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/promote.ts', [
    {
      id: 'a candidate stays kept from customers though nobody else serves them',
      find: '  if (!isNamed && other === undefined) await giveBackToCustomers(context, candidate);\n',
      replace: '',
      tests: ['test/scenarios/candidate/retreat.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/doctor/signs/way-back.ts', [
    {
      id: 'doctor goes back to nothing whose process cannot be told',
      find: "words.every((word) => word === 'absent')",
      replace: "words.every((word) => word !== 'running')",
      tests: ['test/operator/ways-back.test.ts'],
    },
  ]),
];
