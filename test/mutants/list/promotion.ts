import { mutantsOf } from '../mutant.ts';

/** Apply, evidence, promotion, retreat: what stands between an unproven candidate and customers. */
export const promotion = [
  ...mutantsOf('src/stages/candidate/apply.ts', [
    {
      id: 'applying is written after the apply instead of before',
      find: '  await noteApplying(context, candidate, plan);\n  const counts = await carryOut(context, order);\n',
      replace:
        '  const counts = await carryOut(context, order);\n  await noteApplying(context, candidate, plan);\n',
    },
    {
      id: 'older evidence outlives an apply that changed something',
      find: '  const { evidence: _, canaryAtApply: __, ...kept } = shardEntry(journal.current(), candidate);',
      replace: '  const { ...kept } = shardEntry(journal.current(), candidate);',
    },
    {
      id: 'an apply that changed nothing voids the evidence',
      find: '  if (!changedSomething(counts) &&',
      replace: '  if (changedSomething(counts) &&',
    },
    {
      id: 'the number of managers before an apply is taken anew after a crash',
      find: "    record.deployment.phase === 'applying' && entry.highestWorkerBeforeApply !== undefined",
      replace:
        "    record.deployment.phase === 'done' && entry.highestWorkerBeforeApply !== undefined",
    },
    {
      id: 'an apply clears the unhealthy verdicts also when it changed nothing',
      find: '    unhealthyInARow: broughtChange(lastApply) ? 0 : kept.unhealthyInARow,',
      replace: '    unhealthyInARow: 0,',
    },
    {
      id: 'an apply that repeats the changes of the one before it counts as a change',
      find: '  if (!isAll || digest !== last?.updates) return { updates: digest };',
      replace: '  if (!isAll || digest !== undefined) return { updates: digest };',
    },
    {
      id: 'an empty plan is not applied though the last apply was cut off',
      find: "  if (plan.kind === 'empty' && !isBefore(before.deployment.phase, 'applied')) {",
      replace: "  if (plan.kind === 'empty' || isBefore(before.deployment.phase, 'prepared')) {",
    },
  ]),
  ...mutantsOf('src/stages/candidate/guard.ts', [
    {
      id: 'an inactive shard that serves is not spared',
      find: '  if (refusal === undefined) return;\n',
      replace: '  if (refusal === undefined || jobs.kind) return;\n',
    },
    {
      id: 'a candidate that may serve is put back into quarantine',
      find: "  if (service.kind !== 'disproven') return undefined;\n",
      replace: "  if (service.kind === 'closed') return undefined;\n",
      tests: ['test/scenarios/candidate/tagged-by-hand.test.ts'],
    },
    {
      id: 'a candidate whose runner was heard of a moment ago is put back into quarantine',
      find: '  return ageMs === undefined || ageMs > requestWithinMs ? service.reason : undefined;\n',
      replace: '  return ageMs === undefined || ageMs > 0 ? service.reason : undefined;\n',
      tests: ['test/scenarios/candidate/tagged-by-hand.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/health/healthcheck.ts', [
    {
      id: 'inconclusive promotes',
      find: "  if (result.verdict.kind !== 'healthy')\n    throw await countAndExplain(context, candidate, { result });\n  await removeLateTwins",
      replace:
        "  if (result.verdict.kind === 'unhealthy')\n    throw await countAndExplain(context, candidate, { result });\n  await removeLateTwins",
    },
    {
      id: 'evidence never grows old',
      find: '  if (!(ageMs >= 0 && ageMs <= settings.healthcheck.evidenceMaxAgeMs)) return false;\n',
      replace: '  if (ageMs > 1e15 + settings.healthcheck.evidenceMaxAgeMs) return false;\n',
    },
    {
      id: 'evidence counts though its managers are gone',
      find: '  return evidence.workers.every((id) => present.has(id));',
      replace: '  return present.size >= 0;',
    },
    {
      id: 'an inconclusive verdict counts against the shard',
      find: "  if (verdict.kind === 'inconclusive') {",
      replace: "  if (checks < 0 && verdict.kind === 'inconclusive') {",
    },
    {
      id: 'an unhealthy verdict is not counted',
      find: '  const inARow = entry.unhealthyInARow + 1;',
      replace: '  const inARow = entry.unhealthyInARow;',
    },
    {
      id: 'an unhealthy verdict keeps the phase healthy',
      find: "    ...(record.deployment.phase === 'healthy'\n",
      replace: "    ...(record.deployment.phase === 'done'\n",
    },
  ]),
  ...mutantsOf('src/domain/health/evidence.ts', [
    {
      id: 'what could not be asked counts as good',
      find: "  const state = (kind: EvidenceKind) => byKind.get(kind)?.state ?? 'unknown';",
      replace:
        "  const state = (kind: EvidenceKind) => {\n    const said = byKind.get(kind)?.state ?? 'good';\n    return said === 'unknown' ? 'good' : said;\n  };",
    },
    {
      id: 'one piece of evidence is enough',
      find: "  if (required.every((kind) => state(kind) === 'good')) {",
      replace: "  if (required.some((kind) => state(kind) === 'good')) {",
    },
    {
      id: 'without any evidence a shard is healthy',
      find: '  if (required.length === 0) {',
      replace: '  if (required.length > 99) {',
    },
    {
      id: 'the deadline makes a shard healthy',
      find: "  return firstOpen !== undefined && state(firstOpen) === 'missing'",
      replace:
        "  if (final) return { kind: 'healthy', reasons: reasons(required) };\n  return firstOpen !== undefined && state(firstOpen) === 'missing'",
    },
  ]),
  ...mutantsOf('src/domain/health/canary.ts', [
    {
      id: 'a canary of another runner is proof',
      find: '  if (job.registrationId !== registrationId) {',
      replace: '  if (job.registrationId === registrationId && job.id === registrationId) {',
    },
    {
      id: 'a canary from before the apply is proof',
      find: '  if (!beganAfterApply(job, canaryAtApply)) {',
      replace: "  if (!beganAfterApply(job, canaryAtApply) && job.status === 'failed') {",
    },
    {
      id: 'a canary on a manager of an older apply is proof',
      find: '  if (!workers.includes(job.workerId)) {',
      replace: '  if (workers.length > 99) {',
    },
  ]),
  ...mutantsOf('src/stages/health/managers.ts', [
    {
      id: 'managers of an older apply count',
      find: '      worker.contactedAt !== undefined && (worker.id > floor || onHosts.has(worker.systemId)),',
      replace: '      worker.contactedAt !== undefined || worker.id > floor + onHosts.size,',
    },
    {
      id: 'a manager that never contacted GitLab counts',
      find: '      worker.contactedAt !== undefined && (worker.id > floor',
      replace: '      worker.id !== undefined && (worker.id > floor',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/promote.ts', [
    {
      id: 'the status is switched before the production tags',
      find: `  await ensureServing(context, { shard: candidate, id: registration });
  await observe(context, candidate, { registration, before });
  await switchStatus(context, candidate);`,
      replace: `  await switchStatus(context, candidate);
  await ensureServing(context, { shard: candidate, id: registration });
  await observe(context, candidate, { registration, before });`,
    },
    {
      id: 'a promotion that was begun is not checked again',
      find: '  if (begun) await checkAgain(context, candidate, registration);',
      replace: '  if (begun) context.log.act(`Went on with ${candidate}.`);',
    },
    {
      id: 'evidence that is too old promotes',
      find: '  else if (!(await isFresh(context, candidate))) await collectAgain(context, candidate);',
      replace: '  else await isFresh(context, candidate).then(() => collectAgain.length);',
    },
    {
      id: 'promoting is not written before the first production tag',
      find: '  const before = await readBefore(context, registration);\n  await notePromoting(context, candidate);\n',
      replace: '  const before = await readBefore(context, registration);\n',
    },
    {
      id: 'a retreat is not told from a promotion',
      find: '  const removed = await removeCandidate(context, candidate);\n',
      replace: '  const removed = {};\n',
    },
    {
      id: 'a candidate in doubt keeps its production tags while it is checked',
      find: 'return quarantineRouting(context);',
      replace: 'return checkedProductionRouting(context);',
    },
    {
      id: 'a shard that a person has named active is taken back',
      find: "const isNamed = status.kind === 'known' && status.active === candidate;",
      replace: "const isNamed = status.kind === 'known' && status.active === '';",
    },
    {
      id: 'the intake of a promoted shard is not opened',
      find: '  await ensureServing(context, { shard: candidate, id: registration });\n  await noteReturned',
      replace: `  await ensureRouting(context, {
    shard: candidate,
    id: registration,
    routing: context.settings.registration,
  });
  await noteReturned`,
    },
  ]),
  ...mutantsOf('src/stages/switch/retreat.ts', [
    {
      id: 'a candidate is taken back without quarantine',
      find: `    await ensureRouting(context, {
      shard: candidate,
      id: registration,
      routing: quarantineRouting(context),
      proof,
    });
`,
      replace: '    quarantineRouting(context);\n    ensureRouting.toString();\n',
    },
    {
      id: 'a candidate is taken back without a drain',
      find: '    const { tally } = await drainShard(draining, candidate, rules);\n',
      replace:
        '    const tally = Number(drainShard.length + rules.confirmationMs) < 0 ? (await drainShard(draining, candidate, rules)).tally : undefined;\n',
    },
    {
      id: 'a candidate whose runner record was deleted is taken back without a drain',
      find: "found?.kind === 'found' || (found?.kind === 'absent' && entry.productionTag)",
      replace: "found?.kind === 'found'",
      tests: ['test/operator/recover/lost-record.test.ts'],
    },
    {
      id: 'retreating is not written before the way back',
      find: "    await now.journal.write(withPhase(noted, 'retreating', timestamp(context)));\n",
      replace: '',
    },
    {
      id: 'rule 6 is not asked before a candidate is removed',
      find: '  if (refusal !== undefined) {',
      replace: "  if (refusal !== undefined && refusal === '') {",
    },
    {
      id: 'a retreat drains as if no production tag was ever written',
      find: 'const isDrained = entry.productionTag ||',
      replace: 'const isDrained = entry.unhealthyInARow > 99 ||',
    },
  ]),
];
