import { guards } from '../../../src/domain/deployment/guards/guard-catalogue.ts';
import { mutantsOf } from '../mutant.ts';

const tests = ['test/guards/guards-alone.test.ts'];
const idOf = (guard: string) => `the guard ${guard} lets everything pass`;

/** What the guard hands on to who asked it, where it hands on anything. */
const handsOn: Readonly<Record<string, string>> = {
  lock: '(async () => undefined)',
  drained: "{ kind: 'drained', reason: 'nobody looked', lost: [] }",
};

/** Those that decide something are broken in what they decide by. */
const deciding = ['owner', 'agreement', 'order', 'onboarding', 'plan', 'rung'];

/** One for each guard: it is not asked at all. */
export const guardless = [
  ...mutantsOf(
    'src/stages/walk/guarded.ts',
    Object.keys(guards)
      .filter((guard) => !deciding.includes(guard))
      .map((guard) => ({
        id: idOf(guard),
        find: '    const answer = await check();\n',
        replace: `    const answer = guard === '${guard}' ? (${handsOn[guard] ?? 'undefined'} as T) : await check();\n`,
        tests,
      })),
  ),
  ...mutantsOf('src/stages/walk/identify.ts', [
    {
      id: idOf('owner'),
      find: '    bringsUp(stage) ?',
      replace: '    stage.length > 0 ? undefined : bringsUp(stage) ?',
      tests,
    },
    {
      id: idOf('agreement'),
      find: "  await guarded(context, 'agreement', () => compareWithStatus(context, record, openFirst));\n",
      replace: '',
      tests,
    },
  ]),
  ...mutantsOf('src/stages/walk/walk.ts', [
    {
      id: idOf('order'),
      find: "    if (plan.kind !== 'out_of_order') return plan;\n",
      replace:
        "    if (plan.kind !== 'out_of_order') return plan;\n    if (stage === 'cleanup') return { kind: 'walk', steps: ['deregister', 'destroy', 'finish'], reason: '' };\n",
      tests,
    },
  ]),
  ...mutantsOf('src/stages/candidate/onboard.ts', [
    {
      id: idOf('onboarding'),
      find: "    if (planned.kind !== 'refuse') return planned;\n",
      replace:
        "    if (planned.kind !== 'refuse') return planned;\n    if (registrations[0] !== undefined) return { kind: 'reset_token', registration: registrations[0], remove: [], reason: '' };\n",
      tests,
    },
  ]),
  ...mutantsOf('src/adapters/terraform/planning.ts', [
    {
      id: idOf('plan'),
      find: '  if (refusals.length === 0) return replacement.dependents;\n',
      replace: '  if (refusals.length >= 0) return replacement.dependents;\n',
      tests: ['test/terraform/plans/guarded-driver.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/recovery.ts', [
    {
      id: 'the shard that is retired is built anew',
      find: '  if (shard !== record.deployment.candidate)\n',
      replace: '  if (shard === undefined)\n',
      tests: ['test/operator/guards.test.ts'],
    },
    {
      id: 'what had production tags is built anew',
      find: '  if (shardEntry(record, shard).productionTag)\n',
      replace: '  if (shard === undefined)\n',
      tests: ['test/operator/guards.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/candidate/repetition.ts', [
    {
      id: 'what was taken back is refused although nothing serves',
      find: "isBeyond ? 'no shard is proven to serve' : undefined",
      replace: 'isBeyond ? undefined : undefined',
      tests: ['test/scenarios/prepare/taken-back.test.ts'],
    },
    {
      id: 'what was taken back is deployed again because somebody has paused the active shard',
      find: 'cannotServe(service) ||',
      replace: "cannotServe(service) || service.kind === 'closed' ||",
      tests: ['test/scenarios/prepare/taken-back.test.ts'],
    },
    {
      id: 'one stale look at the active shard lets what was taken back be deployed again',
      find: 'lookUntilBelieved(context, () => glanceAtService(context, active))',
      replace: 'glanceAtService(context, active)',
      tests: ['test/scenarios/prepare/taken-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/unserved.ts', [
    {
      id: 'one look at a process that is being started anew says that nobody serves',
      find: 'lookUntilBelieved(context, () => glanceAtService(context, retiring))',
      replace: 'glanceAtService(context, retiring)',
      tests: ['test/operator/recover/dead-active.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/choice.ts', [
    {
      id: 'recover finishes what made a shard active that cannot serve',
      find: "if (service.kind === 'disproven' && retiring !== undefined) {",
      replace: 'if (retiring === undefined) {',
      tests: ['test/operator/recover/after-promotion.test.ts'],
    },
    {
      id: idOf('rung'),
      find: "    if (judged?.kind === 'can_help' || judged === undefined) return method;\n",
      replace: '    if (method.length > 0) return method;\n',
      tests,
    },
  ]),
  ...mutantsOf('src/domain/deployment/guards/tags.ts', [
    {
      id: 'an old shard without a tag of today is one in quarantine',
      find: '  return registration.tags.some((tag) => !isCanaryTag(tag, settings));',
      replace: '  return false;',
      tests: ['test/scenarios/service/other-tags.test.ts'],
    },
    {
      id: 'what is deployed serves by any tag',
      find: "return phase !== 'done' ||",
      replace: "return phase === 'done' ||",
      tests: ['test/domain/deployment/tags.test.ts'],
    },
    {
      id: 'what was deployed for today serves by whatever tag a person gave it',
      find: ' || fingerprint?.settings === settingsDigest(settings);',
      replace: ';',
      tests: ['test/operator/doctor/tagged-by-hand.test.ts'],
    },
  ]),
];
