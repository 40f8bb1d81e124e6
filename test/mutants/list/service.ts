import { mutantsOf } from '../mutant.ts';

const judged = ['test/domain/health/service.test.ts'];
const played = ['test/scenarios/service/service.test.ts'];
const unfinished = ['test/scenarios/drain/ended-unfinished.test.ts'];
/** Of the simulation, by the world's truth alone. */
const simulated = ['test/simulation/faults/machines.test.ts'];

/** The judge of service, and what may not get past it. */
export const service = [
  ...mutantsOf('src/domain/health/service.ts', [
    {
      id: 'a closed shard counts as proven to serve',
      find: "    return { kind: 'closed', reason: describeRegistration(look, rules) };",
      replace:
        "    return { kind: 'proven', reason: describeRegistration(look, rules), ageMs: 0 };",
      tests: judged,
    },
  ]),
  ...mutantsOf('src/stages/service/irreversible.ts', [
    {
      id: 'a shard whose service is unknown counts as proven to serve',
      find: "  if (service.kind === 'proven') return;\n",
      replace: "  if (service.kind === 'proven' || service.kind === 'unknown') return;\n",
      tests: played,
    },
    {
      id: 'what is silent or gone counts as proven to serve',
      find: "  const service = await proveService(context, other);\n  if (service.kind === 'proven') return;\n",
      replace:
        '  if (other !== shard) return;\n  const service = await proveService(context, other);\n',
      tests: simulated,
    },
    {
      id: 'an irreversible effect is reached past the judge of service',
      find: '): Promise<Ports> {\n  await onlyIfOtherServes(context, shard);\n',
      replace: '): Promise<Ports> {\n',
      tests: played,
    },
  ]),
  ...mutantsOf('src/stages/service/service-keeper.ts', [
    {
      id: 'the drained shard is opened without a disproof',
      find: '        if (forMs < unknownForMs) return;\n',
      replace: '',
      tests: played,
    },
    {
      id: 'a drain that goes on counts its ten minutes anew',
      find: '  let unknownSince = notProvenSince;\n',
      replace: '  let unknownSince = notProvenSince && undefined;\n',
      tests: played,
    },
  ]),
  ...mutantsOf('src/stages/service/service-proof.ts', [
    {
      id: 'nobody looks who serves while a canary is waited for',
      find: "    if (service !== undefined) return seen({ kind: 'told', service });\n",
      replace: '',
      tests: played,
    },
  ]),
  ...mutantsOf('src/stages/service/unfinished-run.ts', [
    {
      id: 'a cancelled drain leaves the old shard closed',
      find: '      ? await leaveAfterCancel(context, error)\n',
      replace: '      ? error\n',
      tests: unfinished,
    },
    {
      id: 'a run that ends by an error leaves the old shard closed',
      find: '      : await leaveAfterError(context, error);',
      replace: '      : error;',
      tests: unfinished,
    },
    {
      id: 'a cancelled drain opens the old shard although the other one serves',
      find: "    if (service.kind === 'proven')\n      return cancelledClosed",
      replace: "    if (service.kind === 'closed')\n      return cancelledClosed",
      tests: unfinished,
    },
    {
      id: 'a cancelled run asks for as long as it takes whether a shard serves',
      find: 'Promise.race([asked, tooLong.then(() => otherwise)])',
      replace: 'asked.then((said) => said ?? otherwise)',
      tests: unfinished,
    },
  ]),
  ...mutantsOf('src/operator/takeover/chosen-registration.ts', [
    {
      id: "a registration of the other shard becomes this one's",
      find: '  if (reason === undefined) return;\n',
      replace: '  if (reason !== null) return;\n',
      tests: simulated,
    },
  ]),
  ...mutantsOf('src/stages/drain/last-shard.ts', [
    {
      id: 'what was opened again is closed without a new proof',
      find: '!goesOn || !isOursToOpen',
      replace: '!isOursToOpen',
      tests: ['test/scenarios/service/opened-again.test.ts'],
    },
    {
      id: 'what was opened again twice by a cancelled run is closed once more',
      find: "closedAt === undefined || isBefore(phase, 'draining')",
      replace: 'closedAt === undefined',
      tests: unfinished,
    },
    {
      id: 'what was opened again twice stays closed by a pause that landed late',
      find: '    if (closedAt !== undefined) {\n',
      replace: '    if (closedAt === null) {\n',
      tests: unfinished,
    },
  ]),
  ...mutantsOf('src/stages/service/left-closed.ts', [
    {
      id: 'who is refused opens what was left closed although the other one serves',
      find: "  if (service.kind === 'proven') return undefined;\n",
      replace: '',
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
    {
      id: 'a hold refuses although a shard was left closed',
      find: 'if (leftClosed(context) === undefined) throw error;',
      replace: 'throw error;',
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
    {
      id: 'an older pipeline opens what was left closed',
      find: 'record !== undefined && mayAct(record)',
      replace: 'record !== undefined',
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/nothing-serves.ts', [
    {
      id: 'a shard that GitLab has just heard of is offered to be taken',
      find: 'ageMs === undefined || ageMs > requestWithinMs',
      replace: 'ageMs !== -1',
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/way-back.ts', [
    {
      id: 'a host that nobody can ask has no process to go back to',
      find: "silent.length > 0 ? { kind: 'unknown', reason: silent.join(', ') } : { kind: 'none' }",
      replace: "{ kind: 'none' }",
      tests: ['test/scenarios/service/left-closed.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/reopen.ts', [
    {
      id: 'nobody opens what a drain has closed and not noted',
      find: "(closedAt === undefined && phase !== 'draining')",
      replace: 'closedAt === undefined',
      tests: unfinished,
    },
    {
      id: 'nobody opens again what a late pause closes after a cancelled run has opened it',
      find: 'withDeployment(record, { closedAt, ...noteOf(',
      replace: 'withDeployment(record, { ...noteOf(',
      tests: unfinished,
    },
    {
      id: 'a shard that was never closed counts as opened again',
      find: 'isCut || (await hasClosed(context, shard))',
      replace: 'isCut || shard !== undefined',
      tests: unfinished,
    },
    {
      id: 'a look that was cut short counts as a shard that comes and goes',
      find: 'const counts = !isCut ||',
      replace: 'const counts = isCut ||',
      tests: unfinished,
    },
    {
      id: 'what was opened again is not looked at once more',
      find: '  await keepOpen(context, { shard, id: registration });\n',
      replace: '',
      tests: ['test/scenarios/service/opened-again.test.ts'],
    },
    {
      id: 'a hold forbids that the drained shard is opened again',
      find: "  await guarded(context, 'record', () => journal.fence());\n",
      replace:
        "  await (await import('./effect.ts')).refuseWhenHeld(context);\n  await guarded(context, 'record', () => journal.fence());\n",
      tests: played,
    },
  ]),
];
