import { mutantsOf } from '../mutant.ts';

/** Writes, fence, lock, hold, onboarding and the steps’ common ground. */
export const state = [
  ...mutantsOf('src/domain/deployment/cost.ts', [
    {
      id: 'a count beyond the kept ids is exact',
      find: '...(seenBeyond > 0 ? { jobsFinishedAtLeast: true } : {}),',
      replace: '',
      tests: ['test/domain/deployment/tally.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/versioned.ts', [
    {
      id: 'the version of a write is ignored',
      find: '  if (version === write.version + 1) return version;',
      replace: '  if (version > 0) return version;',
    },
    {
      id: 'a write whose answer is lost is sent again blindly',
      find: '    return readBack(write);',
      replace: '    return readBack.length > 1 ? readBack(write) : undefined;',
    },
    {
      id: 'a lost write counts as written',
      find: '    if (version !== undefined) return version;',
      replace: '    return version ?? write.version + 1;',
    },
    {
      id: 'a value that is read back is ours whatever it says',
      find: '  const isOurs = found.value === value;',
      replace: '  const isOurs = found.value === value || found.version > 0;',
    },
    {
      id: 'what was written between two of ours is overlooked',
      find: '    if (!ours.includes(between.value)) return between;',
      replace: '    if (ours.length === 0) return between;',
    },
    {
      id: 'a stale read is believed',
      find: '    return (found?.version ?? 0) >= version || looks >= staleReads ? seen(found) : notYet();',
      replace: '    return looks >= 1 || version < 0 ? seen(found) : notYet();',
    },
  ]),
  ...mutantsOf('src/stages/record/journal.ts', [
    {
      id: 'the fence lets everybody through',
      find: "    if ((found?.version ?? 0) === version && (found?.value ?? '') === text) return;",
      replace: '    if ((found?.version ?? 0) >= 0) return;',
    },
    {
      id: 'a write of ours that comes again over another is taken for the last one',
      find: '    return (await findForeign(ports.parameters, written)) === undefined;',
      replace: '    return written.until > written.since + findForeign.length * 0;',
    },
  ]),
  ...mutantsOf('src/stages/walk/effect.ts', [
    {
      id: 'a hold is not heeded',
      find: '  if (hold !== undefined) throw held(',
      replace: '  if (hold !== undefined && hold.since === "") throw held(',
    },
    {
      id: 'the fence is not asked before an effect',
      find: "  await guarded(now, 'record', () => now.journal.fence());\n",
      replace: '',
    },
    {
      id: 'no gate before an effect',
      find: '    await gate(context, effect.shard, effect.proof);\n',
      replace: '',
    },
    {
      id: 'an effect is believed unseen',
      find: '    if (await isSeen(context, effect, answered)) {',
      replace: '    if (answered || (await isSeen(context, effect, answered))) {',
    },
    {
      id: 'an effect that is done already is done again',
      find: "  if (effect.isNew !== true && (await effect.isDone())) return 'already';\n",
      replace: '',
    },
    {
      id: 'an effect whose answer was lost is taken for done',
      find: '    return false;\n  }\n}\n\nasync function isSeen(',
      replace: '    return true;\n  }\n}\n\nasync function isSeen(',
    },
  ]),
  ...mutantsOf('src/stages/candidate/onboard.ts', [
    {
      id: 'a candidate is not put into quarantine',
      find: 'const shown = await ensureRouting(context, { shard: candidate, id, routing });\n',
      replace: 'const shown = undefined;\n',
    },
    {
      id: 'a registration that serves is put into quarantine',
      find: "  if (plan.kind !== 'create') await refuseServing(context, candidate, plan.registration);\n",
      replace: '',
    },
    {
      id: 'a registration whose answer was lost is created once more',
      find: '    return await recoverCreated(context, candidate, error);',
      replace: [
        '    recoverCreated.toString();',
        '    return await ports.registry.create({',
        '      shard: { runnerName: settings.runnerName, shard: candidate },',
        '      settings: settings.registration,',
        '      tags: quarantineRouting(context).tags,',
        '      note: registrationMark(run.deploymentId),',
        '    });',
      ].join('\n'),
    },
    {
      id: 'duplicates stay',
      find: '  for (const duplicate of plan.remove) await removeDuplicate(context, candidate, duplicate);\n',
      replace: '',
    },
  ]),
  ...mutantsOf('src/domain/deployment/onboarding.ts', [
    {
      id: 'a token that a manager uses is reset',
      find: '  if (!contacted.includes(kept)) {',
      replace: '  if (contacted.includes(kept) || !contacted.includes(kept)) {',
    },
    {
      id: 'a registration that is not ours is taken',
      find: '  if (foreign[0] !== undefined) {',
      replace: '  if (foreign.length > 99 && foreign[0] !== undefined) {',
    },
    {
      id: 'a token of another registration is kept',
      find: '  if (tokenPresent && entry.tokenWritten && entry.registration === kept.id) {',
      replace: '  if (tokenPresent) {',
    },
  ]),
  ...mutantsOf('src/stages/candidate/prepare.ts', [
    {
      id: 'a candidate that serves is chosen all the same',
      find: '  if (inactive?.serving !== true) return;',
      replace: '  if (inactive === undefined || inactive.shard === candidate) return;',
    },
    {
      id: 'missing permissions are found by the stage that needs them',
      find: '  await preflight(context, record);\n',
      replace: '',
    },
  ]),
  ...mutantsOf('src/stages/candidate/prepared-record.ts', [
    {
      id: 'an adopter trusts the evidence of the one before',
      find: "  if (finishOnly || record.deployment.phase === 'retreating') return moved;",
      replace: "  if (finishOnly || record.deployment.phase !== 'done') return moved;",
    },
  ]),
  ...mutantsOf('src/stages/walk/identify.ts', [
    {
      id: 'any pipeline may go on with a deployment',
      find: "  return refused ?? { kind: 'record', record };\n",
      replace: "  return refused === null ? refused : { kind: 'record', record };\n",
    },
    {
      id: 'a contradiction stops nobody',
      find: "  if (found.kind === 'record') await refuseContradiction(context, found.record, openFirst);\n",
      replace: '',
    },
    {
      id: 'a contradiction is believed at first sight',
      find: '    if (now.found === undefined || looks >= most) return seen(now);',
      replace: '    if (now.found === undefined || looks >= 1) return seen(now);',
    },
    {
      id: 'a person waits for a contradiction to last, and is not told',
      find: '    log.wait(`Waiting: ${now.found.reason}; a read may be behind, so both are looked at again.`);\n',
      replace: '',
      tests: ['test/scenarios/prepare/told-at-once.test.ts'],
    },
    {
      id: 'an older pipeline finishes what a newer one has begun',
      find: '  return isOlder || phase === ',
      replace: '  return (isOlder && id.length < 0) || phase === ',
    },
  ]),
  ...mutantsOf('src/domain/deployment/record.ts', [
    {
      id: 'the token is said to be written before it is',
      find: '    registration,\n    tokenWritten: false,',
      replace: '    registration,\n    tokenWritten: true,',
    },
  ]),
  ...mutantsOf('src/stages/candidate/routing.ts', [
    {
      id: 'customers’ untagged jobs reach a candidate in quarantine',
      find: '  return { tags: [ports.canary.tag], runUntagged: false };',
      replace: '  return { tags: [ports.canary.tag], runUntagged: true };',
    },
    {
      id: 'the last look before the switch need not show the production tags',
      find: '  if (shown !== undefined && hasRouting(shown, routing)) return;',
      replace: '  if (shown !== undefined) return;',
    },
    {
      id: 'pause and un-pause are swapped',
      find: 'await registry.setIntake(id, intake);',
      replace: "await registry.setIntake(id, intake === 'open' ? 'closed' : 'open');",
    },
  ]),
  ...mutantsOf('src/stages/switch/takeover.ts', [
    {
      id: 'a rollback to a process that has ended gives it customers’ jobs before it is proven',
      find: 'productionTag: takeover.isStartedAnew !== true,',
      replace: 'productionTag: takeover !== undefined,',
    },
    {
      id: 'a takeover rests on older evidence',
      find: '  const { evidence: _, pausedByOther: __, ...entry } = withChange(shardEntry(record, shard), named);',
      replace:
        '  const { pausedByOther: __, ...entry } = withChange(shardEntry(record, shard), named);',
    },
  ]),
  ...mutantsOf('src/operator/takeover/rollback.ts', [
    {
      id: 'a rollback that is typed twice is turned back',
      find: "  if (deployment?.kind === 'rollback') return alreadyTaken(context, deployment);\n",
      replace: '',
    },
  ]),
  ...mutantsOf('src/stages/walk/session.ts', [
    {
      id: 'a stage runs without its lock',
      find: "guarded(context, 'lock', take));\n",
      replace:
        'take.length > 99 ? take() : Promise.resolve({ tookOver: false, record: 0, confirm: async () => {}, release: async () => {} }));\n',
    },
    {
      id: 'a failure of the lock’s release hides the first error',
      find: '    await release().catch((second: unknown) =>\n      log.warn(`The lock was not released: ${String(second)}`),\n    );\n    throw error;',
      replace: '    await release();\n    throw error;',
    },
  ]),
];
