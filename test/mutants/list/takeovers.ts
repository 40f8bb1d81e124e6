import { type Mutant, mutantsOf } from '../mutant.ts';

/** What a rollback and an activation may not do. */
export const takeovers: readonly Mutant[] = [
  ...mutantsOf('src/stages/switch/takeover.ts', [
    {
      id: 'an activation keeps the evidence of before',
      find: '  const { evidence: _, ...entry } = shardEntry(record, shard);',
      replace: '  const { ...entry } = shardEntry(record, shard);',
      tests: ['test/scenarios/pipelines/takeovers.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/takeover/able.ts', [
    {
      id: 'an activation begins with a shard that has no machine',
      find: "service.kind === 'disproven' && record !== undefined",
      replace: "service.kind === 'disproven' && record === undefined",
      tests: ['test/operator/activate.test.ts'],
    },
    {
      id: 'an activation of what is active and serves begins a deployment',
      find: '  if (!isActive || !isWhole ||',
      replace: '  if (!isActive || isWhole ||',
      tests: ['test/operator/activate.test.ts'],
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
      find: 'retiring !== undefined || (await isLeft(context, other))',
      replace: '(await isLeft(context, other)) || retiring !== undefined',
      tests: ['test/operator/activate.test.ts'],
    },
    {
      id: 'activate takes a runner of the other shard',
      find: '  refuseAnother(context, { shard, registration: chosen, record, ofOther });\n',
      replace: '',
      tests: ['test/operator/activate.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/at-rest.ts', [
    {
      id: 'a refusal before the lock is said of a stack that somebody is at',
      find: "lock.kind === 'free' && context.journal.version() >= lock.record",
      replace: "lock.kind !== 'free' || context.journal.version() >= lock.record",
      tests: ['test/scenarios/pipelines/beside-a-pipeline.test.ts'],
    },
    {
      id: 'a refusal before the lock rests on a record that has moved on',
      find: ' && context.journal.version() >= lock.record',
      replace: '',
      tests: ['test/scenarios/pipelines/beside-a-pipeline.test.ts'],
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
      find: "    if (phase !== 'drained') return true;",
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
