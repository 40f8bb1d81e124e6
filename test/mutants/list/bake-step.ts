import { mutantsOf } from '../mutant.ts';

const scenes = [
  'test/scenarios/bake/bake.test.ts',
  'test/scenarios/bake/trouble.test.ts',
  'test/scenarios/bake/unlocked-watch.test.ts',
];
const endings = ['test/scenarios/bake/endings.test.ts'];
const kills = ['test/scenarios/bake/kills.test.ts'];

/** Of the step, and of the way back that it begins. */
export const bakeStep = [
  ...mutantsOf('src/domain/bake/bake-note.ts', [
    {
      id: 'a bake begins anew with each promotion that is noted',
      find: '  if (bake === undefined || bake.ended !== undefined) return false;',
      replace: '  if (bake === undefined) return false;',
      tests: scenes,
    },
    {
      id: 'a rollback is watched, and taken back',
      find: "kind !== 'deploy' || retiring",
      replace: 'retiring',
      tests: kills,
    },
    {
      id: 'who was taken back ends well',
      find: '  if (takesBack?.id === id) return takesBack;',
      replace: '  if (takesBack?.id === id) return undefined;',
      tests: scenes,
    },
    {
      id: 'who was taken back ends well once it is over',
      find: 'one.id === id && one.takenBack === true',
      replace: 'one.id === id && one.takenBack === null',
      tests: ['test/domain/bake/bake-note.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/stage-plan.ts', [
    {
      id: 'cleanup takes the way back away',
      find: "  if (bakes && beginsAfter(stage, 'bake')) {",
      replace: "  if (bakes && !beginsAfter(stage, 'bake')) {",
      tests: scenes,
    },
    {
      id: 'nobody goes on with a way back that was cut off',
      find: "kind === 'rollback' && phase === 'promoting'",
      replace: "kind === 'activate' && phase === 'promoting'",
      tests: kills,
    },
  ]),
  ...mutantsOf('src/stages/bake/verdict.ts', [
    {
      id: 'what is bad is said anew at each look',
      find: "judge.once(`bad ${signal ?? 'jobs'}`, ",
      replace: 'judge.once(`bad ${reason}`, ',
      tests: ['test/scenarios/bake/watched-signals.test.ts'],
    },
    {
      id: 'a bad verdict opens what a person has closed',
      find: 'if (isClosedByOther(context.journal.current().deployment)) {',
      replace: 'if (false) {',
      tests: ['test/scenarios/drain/paused-by-person.test.ts'],
    },
    {
      id: 'a bad shard is only told of',
      find: "  if (way.kind === 'open') throw",
      replace: "  if (way.kind !== 'open') throw",
      tests: scenes,
    },
    {
      id: 'a person is not asked about too little',
      find: "verdict.kind === 'inconclusive' && onInconclusive",
      replace: "verdict.kind === 'healthy' && onInconclusive",
      tests: scenes,
    },
  ]),
  ...mutantsOf('src/stages/bake/taken-back.ts', [
    {
      id: 'an old shard that fails its proof is left open for customers',
      find: "    await ensureIntake(context, { shard: old, id, intake: 'closed', proof });\n",
      replace: '',
      tests: endings,
    },
    {
      id: 'an old shard is closed beside one that does not serve',
      find: '    const proof = await onlyIfOtherServes(context, old);',
      replace: '    const proof = undefined;',
      tests: endings,
    },
  ]),
  ...mutantsOf('src/domain/deployment/stage-plan.ts', [
    {
      id: 'a bake that nobody watches is a success',
      find: "if (stage === 'bake' && !bakes) return",
      replace: "if (stage === 'bake' && (!bakes || phase !== 'drained')) return",
      tests: endings,
    },
  ]),
  ...mutantsOf('src/stages/bake/bake.ts', [
    {
      id: 'a bake is called over while the old shard still has jobs',
      find: 'return holdOrGoBack(context, retiring, { judge, verdict });',
      replace: '{ await obeyVerdict(context, retiring, { judge, verdict }); return; }',
      tests: ['test/scenarios/bake/beside-drain.test.ts'],
    },
    {
      id: 'a verdict in a drain runs into a hold, and nobody watches any more',
      find: 'if (hold === undefined) return holdOrGoBack',
      replace: 'if (hold !== null) return holdOrGoBack',
      tests: ['test/scenarios/bake/beside-drain.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/taken-back.ts', [
    {
      id: 'who was taken back passes as long as its loser is not retired',
      find: 'error.exitCode !== 75 && error.code',
      replace: 'error.exitCode === 75 && error.code',
      tests: endings,
    },
    {
      id: 'every pipeline is red while what was taken back is not retired',
      find: 'whyTakenBack(record, run.deploymentId);\n}',
      replace: "whyTakenBack(record, record.deployment.takesBack?.id ?? '');\n}",
      tests: endings,
    },
  ]),
  ...mutantsOf('src/stages/bake/bake.ts', [
    {
      id: 'two dead shards are watched to the end of the bake',
      find: '  if (context.although !== undefined) {',
      replace: '  if (context.although === undefined && judgeOfRun === undefined) {',
      tests: endings,
    },
  ]),
  ...mutantsOf('src/stages/bake/watch-unlocked.ts', [
    {
      id: 'a hold does not suspend a verdict',
      find: 'hold === undefined && isRested',
      replace: 'isRested',
      tests: scenes,
    },
    {
      id: 'a bake outlives its job',
      find: '    if (isTooLong(context)) return seen(true);\n',
      replace: '',
      tests: scenes,
    },
    {
      id: 'nobody looks whether the new shard serves',
      find: '    if (await service.isLost()) return seen(true);\n',
      replace: '',
      tests: scenes,
    },
  ]),
  ...mutantsOf('src/stages/bake/bake-judge.ts', [
    {
      id: 'the canary of a bake is run without the lock',
      find: "const needed = when === 'now' ? needsOf(verdict) : undefined;",
      replace: 'const needed = needsOf(verdict);',
      tests: ['test/scenarios/bake/watched-signals.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/session.ts', [
    {
      id: 'what was said of a dead owner of the lock is said of each after it',
      find: 'runLocked(afterwards, lettingGo(end.resume)',
      replace: 'runLocked(running, lettingGo(end.resume)',
      tests: scenes,
    },
  ]),
  ...mutantsOf('src/stages/bake/verdict.ts', [
    {
      id: 'who was opened by hand during a bake is stopped after it',
      find: '  await refuseOpened(context, retiring);\n',
      replace: '',
      tests: scenes,
    },
  ]),
  ...mutantsOf('src/stages/service/service-keeper.ts', [
    {
      id: 'a dead new shard is opened beside, and not taken back',
      find: "service.kind === 'disproven' && goesBack(context)",
      replace: "service.kind === 'closed' && goesBack(context)",
      tests: scenes,
    },
  ]),
  ...mutantsOf('src/domain/deployment/direction.ts', [
    {
      id: 'a new pipeline takes a bake over',
      find: '  if (isBaking(record.deployment)) {',
      replace: '  if (isBaking(record.deployment) && candidate === undefined) {',
      tests: scenes,
    },
  ]),
  ...mutantsOf('src/verify/bake-rules.ts', [
    {
      id: 'the checker lets a deployment be taken back twice',
      find: '!wasTaken, `',
      replace: "!wasTaken || takesBack !== '', `",
      tests: ['test/verify/verify.test.ts'],
    },
    {
      id: 'the checker lets a bake end over running jobs',
      find: "new Set(['drained', 'baked'])",
      replace: "new Set(['draining', 'drained', 'baked'])",
      tests: ['test/verify/verify.test.ts'],
    },
    {
      id: 'the checker lets a rollback end in a shard that nobody proved',
      find: 'const isProven = shards?.[candidate]?.evidence !== undefined;',
      replace: 'const isProven = shards?.[candidate] !== undefined;',
      tests: ['test/verify/verify.test.ts'],
    },
    {
      id: 'the checker lets a way back be taken away while it is watched',
      find: 'const isWayBack = record.baking && ',
      replace: 'const isWayBack = !record.baking && ',
      tests: ['test/verify/verify.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/watch-unlocked.ts', [
    {
      id: 'the keeper of a bake is not told what was proven between two locks',
      find: 'baking?.keeper?.sawProven();',
      replace: '',
      tests: ['test/scenarios/drain/silent-registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/bake-judge.ts', [
    {
      id: 'a clock that is ahead cuts a bake short',
      find: 'aheadMs = isAhead ? ownMs - byOther : 0;',
      replace: 'aheadMs = 0;',
      tests: ['test/scenarios/bake/outside/clocks.test.ts'],
    },
    {
      id: 'a bake whose end had come by a wrong clock stays at its end',
      find: '      if (!isOver()) looksPastEnd = 0;\n',
      replace: '',
      tests: ['test/scenarios/bake/outside/clocks.test.ts'],
    },
  ]),
];
