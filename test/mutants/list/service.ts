import { mutantsOf } from '../mutant.ts';

const judged = ['test/domain/health/service.test.ts'];
const played = ['test/scenarios/service/service.test.ts'];
const unfinished = ['test/scenarios/drain/ended-unfinished.test.ts'];
const failing = ['test/scenarios/drain/failed-drain.test.ts'];
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
    {
      id: 'what began on machines that EC2 calls terminated proves that their shard serves',
      find: "hosts.kind === 'ended' || sign.elsewhere === 'ended'",
      replace: "sign.elsewhere === 'ended'",
      tests: judged,
    },
    {
      id: 'a job of a manager that is gone proves the one that runs',
      find: 'speaks && sign.elsewhere === undefined',
      replace: 'speaks',
      tests: judged,
    },
  ]),
  ...mutantsOf('src/stages/service/irreversible.ts', [
    {
      id: 'a shard whose service is unknown counts as proven to serve',
      find: "  if (service.kind === 'proven') return watch",
      replace: "  if (service.kind === 'proven' || service.kind === 'unknown') return watch",
      tests: played,
    },
    {
      id: 'what is silent or gone counts as proven to serve',
      find: '  const watch = watchOfRun(context, other);\n',
      replace:
        '  if (other !== shard) return beganAt;\n  const watch = watchOfRun(context, other);\n',
      tests: simulated,
    },
    {
      id: 'an irreversible effect is reached past the judge of service',
      find: '  const proof = await onlyIfOtherServes(context, shard, known);\n',
      replace: '  const proof = undefined;\n',
      tests: played,
    },
    {
      id: 'what comes after a drain waits for a proof of its own',
      find: '  return since === undefined ? undefined : since + unknownForMs;',
      replace: '  return undefined;',
      tests: simulated,
    },
  ]),
  ...mutantsOf('src/stages/service/standing-proof.ts', [
    {
      id: 'an effect rests on a proof from before the run stood still',
      find: '      if (agoMs <= standsForMs) return false;\n',
      replace: '      if (agoMs !== -1) return false;\n',
      tests: ['test/scenarios/service/old-proof.test.ts'],
    },
    {
      id: 'a run that is slower than any proof asks for ever',
      find: 'if (times >= mostTimes)',
      replace: 'if (times === 0)',
      tests: ['test/scenarios/service/old-proof.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/effect.ts', [
    {
      id: 'the pause rests on a proof from before the run stood still',
      find: '    await gate(context, effect.shard, effect.proof);',
      replace: '    await gate(context, effect.shard);',
      tests: ['test/scenarios/service/old-proof.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/service-keeper.ts', [
    {
      id: 'the drained shard is opened without a disproof',
      find: '        if (forMs < unknownForMs) {\n          lookedAt = now;\n          return;\n        }\n',
      replace: '',
      tests: played,
    },
    {
      id: 'a drain that goes on counts its ten minutes anew',
      find: '  watch.unprovenSince ??= notProvenSince;\n',
      replace: '',
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
      tests: failing,
    },
    {
      id: 'a cancelled drain opens the old shard although the other one serves',
      find: "    if (service.kind === 'proven')\n      return cancelledClosed",
      replace: "    if (service.kind === 'closed')\n      return cancelledClosed",
      tests: unfinished,
    },
    {
      id: 'what a cancelled run has seen is looked at once more for its last words',
      find: '    unsealed.told?.set(other, service);\n',
      replace: '',
      tests: unfinished,
    },
    {
      id: 'what is thrown after an error of a drain is told to nobody',
      find: '    context.log.warn(`${capital(drained)} was left as it is: ${reasonOf(second)}.`);\n',
      replace: '',
      tests: failing,
    },
    {
      id: 'a cancelled run asks for as long as it takes whether a shard serves',
      find: 'inTime(watch.look(context), { ...limit, late: () => unsaid })',
      replace: 'watch.look(context)',
      tests: unfinished,
    },
  ]),
  ...mutantsOf('src/operator/takeover/chosen-registration.ts', [
    {
      id: "a registration of the other shard becomes this one's",
      find: "  if (reason !== undefined) throw refuse('others', reason);\n",
      replace: '',
      tests: ['test/operator/activate.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/last-shard.ts', [
    {
      id: 'what was opened again is closed without a new proof',
      find: '!goesOn || !isKeptClosed',
      replace: '!isKeptClosed',
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
      find: 'if (toSeeTo(context) === undefined) throw error;',
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
    {
      id: 'what our drain has closed is taken where its host says nothing',
      find: '  if (mayBeStopped(journal.current().deployment)) return undefined;\n',
      replace: '  if (words.every(({ kind }) => kind !== undefined)) return undefined;\n',
      tests: ['test/scenarios/drain/closed-and-silent.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/reopen.ts', [
    {
      id: 'nobody opens what a drain has closed and not noted',
      find: "(closedAt === undefined && phase !== 'draining')",
      replace: 'closedAt === undefined',
      tests: failing,
    },
    {
      id: 'nobody opens again what a late pause closes after a cancelled run has opened it',
      find: 'const change = { closedAt, ...noteOf(',
      replace: 'const change = { ...noteOf(',
      tests: unfinished,
    },
    {
      id: 'a shard that was never closed counts as opened again',
      find: 'isCut || (await hasClosed(context, shard))',
      replace: 'isCut || shard !== undefined',
      tests: failing,
    },
    {
      id: 'a look that was cut short counts as a shard that comes and goes',
      find: 'const counts = !isEnding ||',
      replace: 'const counts = isEnding ||',
      tests: unfinished,
    },
    {
      id: 'what was open is told to have been opened again',
      find: "seen(looks === 1 ? 'was_open' : 'opened')",
      replace: "seen('opened')",
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
