import { mutantsOf } from '../mutant.ts';

/** Direction, record, lock, fence, onboarding: who may act, on which shard, and in which order. */
export const order = [
  ...mutantsOf('src/stages/walk/session.ts', [
    {
      id: 'exit code 2 is given after an effect',
      find: '  if (!hasActed || error.exitCode !== 2) return error;',
      replace: '  if (error.exitCode !== 2 || hasActed) return error;',
      tests: ['test/scenarios/prepare/touched.test.ts'],
    },
    {
      id: 'a command at a terminal takes its deployment from a read before the lock',
      find: '    const lock = await lockUnlessRefused(',
      replace: '    await contexts.decide();\n    const lock = await lockUnlessRefused(',
      tests: ['test/scenarios/terminal/after-finished.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/journal.ts', [
    {
      id: 'the record is read right after a takeover',
      find: 'held.tookOver ? restAfterTakeoverMs : 0',
      replace: 'held.tookOver ? 0 * restAfterTakeoverMs : 0',
      tests: ['test/record/journal.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/observe/observe.ts', [
    {
      id: 'a takeover begins at a status from before the last switch',
      find: '  return lookAtStatus(context, statusVersion + 1);',
      replace: '  return look;',
      tests: ['test/simulation/reads-behind.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/at-rest.ts', [
    {
      id: 'a refusal before the lock is said of a stack that somebody is at',
      find: "lock.kind === 'free' && context.journal.lowestVersion() >= lock.record",
      replace: "lock.kind !== 'free' || context.journal.lowestVersion() >= lock.record",
      tests: ['test/scenarios/pipelines/beside-a-pipeline.test.ts'],
    },
    {
      id: 'a refusal before the lock rests on a record that has moved on',
      find: ' && context.journal.lowestVersion() >= lock.record',
      replace: '',
      tests: ['test/scenarios/pipelines/beside-a-pipeline.test.ts'],
    },
    {
      id: 'a refusal before the lock rests on an older read than the last one',
      find: 'context.journal.lowestVersion() >=',
      replace: 'context.journal.version() >=',
      tests: ['test/scenarios/terminal/after-finished.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/direction.ts', [
    {
      id: 'the direction is derived again for the same id',
      find: "    return { kind: 'resume', reason: `deployment ${deployment.id} is ${deployment.phase}` };",
      replace: '    return undefined;',
    },
    {
      id: 'an activation of a status that names nothing contradicts it',
      find: "  if (expected !== candidate && kind === 'activate' && retiring === undefined) return undefined;\n",
      replace: '',
      tests: ['test/simulation/regressions.test.ts'],
    },
    {
      id: 'an older pipeline is not superseded',
      find: '  if (Date.parse(run.pipelineCreatedAt) <= Date.parse(deployment.pipelineCreatedAt)) {',
      replace: '  if (Date.parse(run.pipelineCreatedAt) <= 0 * deployment.id.length) {',
    },
    {
      id: 'a finished id begins again',
      find: '  if (record.history.some((past) => past.id === run.deploymentId))\n    return finished(run.deploymentId);\n',
      replace: '',
    },
    {
      id: 'a deployment whose owner is unknown is adopted',
      find: "  if (owner?.kind !== 'over') {",
      replace: "  if (owner?.kind === 'alive') {",
    },
    {
      id: 'a deployment whose owner is alive is adopted',
      find: "  if (owner?.kind !== 'over') {",
      replace: '  if (owner === undefined) {',
    },
    {
      id: 'candidate and retiring shard are swapped',
      find: "  const candidate = otherShard(shards, active);\n  return {\n    kind: 'begin',\n    candidate,\n    retiring: active,",
      replace:
        "  const candidate = active;\n  return {\n    kind: 'begin',\n    candidate,\n    retiring: otherShard(shards, active),",
    },
    {
      id: 'a status that contradicts the record is not noticed',
      find: '  if (expected === said) return undefined;',
      replace: '  if (expected === said || said) return undefined;',
    },
    {
      id: 'an invalid status is read as none',
      find: "{ expected };\n  if (status.kind === 'invalid') {",
      replace:
        "{ expected };\n  if (status.kind === 'invalid') return undefined;\n  if (status.kind === 'invalid') {",
    },
    {
      id: 'a stack without a record is taken over though its active shard does not serve',
      find: '  if (!serving.includes(active) && !isDead) {',
      replace: '  if (serving.length > 99) {',
    },
    {
      id: 'an inactive shard with a registration is built over',
      find: '  if (known.includes(inactive)) {',
      replace: '  if (known.length > 99) {',
    },
    {
      id: 'a new pipeline waits in prepare for another one’s drain',
      find: "  if (phase === 'draining') {",
      replace: "  if (phase === 'done') {",
    },
  ]),
  ...mutantsOf('src/domain/deployment/status.ts', [
    {
      id: 'a status with two equal shards is valid',
      find: '  if (active === inactive) return',
      replace: "  if (active === '') return",
    },
    {
      id: 'a status with an unknown shard is valid',
      find: '  if (!isShard(shards, active))\n    return invalid',
      replace: "  if (!isShard(shards, active) && active === '')\n    return invalid",
    },
  ]),
  ...mutantsOf('src/domain/deployment/stages-and-steps.ts', [
    {
      id: 'promoting counts as in quarantine',
      find: "  return !isBefore(phase, 'promoting');",
      replace: "  return !isBefore(phase, 'promoted');",
    },
    {
      id: 'a retreat counts as promoted',
      find: "  return phase === 'retreating' ? rank('prepared')",
      replace: "  return phase === 'retreating' ? rank('promoted')",
    },
    {
      id: 'stop comes before drain',
      find: "  { name: 'drain', writes: ['draining', 'drained'], touches: 'retiring' },\n",
      replace:
        "  { name: 'stop', writes: [], touches: 'retiring' },\n  { name: 'drain', writes: ['draining', 'drained'], touches: 'retiring' },\n",
    },
    {
      id: 'destroy comes before deregister',
      find: "  { name: 'deregister', writes: ['destroying'], touches: 'retiring', writesFirst: true },\n  { name: 'destroy', writes: [], touches: 'retiring' },",
      replace:
        "  { name: 'destroy', writes: [], touches: 'retiring' },\n  { name: 'deregister', writes: ['destroying'], touches: 'retiring', writesFirst: true },",
    },
    {
      id: 'promote comes before the healthcheck',
      find: "  { name: 'healthcheck', writes: ['healthy'], touches: 'candidate' },\n  { name: 'promote', writes: ['promoting', 'promoted'], touches: 'candidate' },",
      replace:
        "  { name: 'promote', writes: ['promoting', 'promoted'], touches: 'candidate' },\n  { name: 'healthcheck', writes: ['healthy'], touches: 'candidate' },",
    },
    {
      id: 'what belongs to the retiring shard is done to the candidate',
      find: "  { name: 'destroy', writes: [], touches: 'retiring' },",
      replace: "  { name: 'destroy', writes: [], touches: 'candidate' },",
    },
  ]),
  ...mutantsOf('src/domain/deployment/stage-plan.ts', [
    {
      id: 'provision plans again after the first production tag',
      find: "  if (phase === 'promoting') {\n    if (until",
      replace: "  if (phase === 'done') {\n    if (until",
    },
    {
      id: 'shutdown runs before the promotion',
      find: "      if (!isBefore(phase, 'promoted')) return planRetirement(stage, record);",
      replace: "      if (!isBefore(phase, 'prepared')) return planRetirement(stage, record);",
    },
    {
      id: 'a cleanup that comes too early removes the candidate',
      find: "  if (!removesCandidate) return { kind: 'nothing', reason };\n",
      replace: '',
    },
    {
      id: 'cleanup does not wait for the drain',
      find: "  if (beginsAfter(stage, 'drain') && isBefore(phase, 'drained')) {",
      replace: "  if (beginsAfter(stage, 'drain') && isBefore(phase, 'prepared')) {",
    },
    {
      id: 'promote does not ask whether the candidate was proven',
      find: "  if (nextStage(phase) === 'promote') {\n    return { kind: 'walk', steps: ['promote']",
      replace:
        "  if (!isPastQuarantine(phase) || nextStage(phase) === 'promote') {\n    return { kind: 'walk', steps: ['promote']",
    },
    {
      id: 'a finished deployment is walked again',
      find: "  if (phase === 'done') {",
      replace: "  if (phase === 'done' && id === '') {",
    },
    {
      id: 'a retreat that was begun is forgotten',
      find: "  if (phase === 'retreating') {\n    return {\n      kind: 'retreat',\n      steps: all,",
      replace: "  if (id.length < 0) {\n    return {\n      kind: 'retreat',\n      steps: all,",
    },
  ]),
  ...mutantsOf('src/domain/deployment/guards/guards.ts', [
    {
      id: 'a job may end the runner that runs it',
      find: '  if (ownRegistrationId === undefined || ownRegistrationId !== registrationId) return undefined;',
      replace: "  if (ownRegistrationId !== '') return undefined;",
    },
    {
      id: 'rule 6 spares no active shard',
      find: '  if (active === shard) return `${shard} is the active shard`;\n',
      replace: '',
    },
    {
      id: 'rule 6 forgets that there were production tags',
      find: '  if (entry.productionTag) return',
      replace: '  if (entry.productionTag && active === shard) return',
    },
    {
      id: 'rule 6 is content with one unhealthy verdict',
      find: '  if (entry.unhealthyInARow >= 2) return undefined;',
      replace: '  if (entry.unhealthyInARow >= 1) return undefined;',
    },
    {
      id: 'a paused registration serves',
      find: '    !registration.paused &&\n    registration.contacted &&',
      replace: '    registration.contacted &&',
    },
    {
      id: 'a registration that no manager ever contacted serves',
      find: '    registration.contacted &&\n',
      replace: '',
    },
  ]),
  ...mutantsOf('src/domain/deployment/lock/lock.ts', [
    {
      id: 'a lock whose owner is unknown is stale',
      find: "  const kind = holder.kind === 'over' ? 'stale' : holder.kind;",
      replace: "  const kind = holder.kind !== 'alive' ? 'stale' : holder.kind;",
    },
    {
      id: 'the lock of a living process is stale by hand',
      find: "  if (process === 'alive') return",
      replace: "  if (process === 'alive' && !byHand) return",
    },
  ]),
];
