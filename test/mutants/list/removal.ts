import { mutantsOf } from '../mutant.ts';

const adapter = ['test/github/registry-contract.test.ts', 'test/github/rate-limits.test.ts'];

const answers = ['test/gitlab/registry.test.ts', 'test/gitlab/registry-answers.test.ts'];

/** What stands between a busy runner and its removal, and between silence and a runner that is gone. */
export const removal = [
  ...mutantsOf('src/domain/removal.ts', [
    {
      id: 'a busy runner counts as removed',
      find: "    .filter(({ outcome }) => outcome === 'busy' || outcome === 'spared')",
      replace: "    .filter(({ outcome }) => outcome === 'spared')",
    },
    {
      id: 'a runner whose removal was not answered counts as removed',
      find: "outcome === 'unknown');\n  if (unknown !== undefined) {",
      replace:
        "outcome === 'unknown');\n  if (unknown !== undefined && unknown.detail === 'never') {",
    },
    {
      id: 'a busy runner is dead where its host is silent',
      find: "kind === 'stopped' && host === hostId",
      replace: "kind !== 'jobs' && host === hostId",
    },
    {
      id: 'a runner that is about to register is not waited for',
      find: '  if (awaited !== undefined) {',
      replace: "  if (awaited === 'never') {",
    },
  ]),
  ...mutantsOf('src/stages/unregister.ts', [
    {
      id: 'an ephemeral runner that was busy is asked again and again',
      find: 'spare.add(worker.id);',
      replace: 'spare.delete(worker.id);',
    },
    {
      id: 'the end of the removal is not awaited',
      find: "    if (judgement.kind === 'gone') return found(judgement.leftOver);",
      replace:
        "    if (judgement.kind === 'wait') return found([]);\n    if (judgement.kind === 'gone') return found(judgement.leftOver);",
    },
    {
      id: 'a refused removal is asked for as often as the schedule likes',
      find: "notYet({ kind: 'asked', againInMs: forMs })",
      replace: "notYet({ kind: 'due', inMs: forMs })",
    },
  ]),
  ...mutantsOf('src/stages/stop.ts', [
    {
      id: 'processes are stopped before their runners are removed',
      find: '  await removeWorkers(context, shard);\n',
      replace: '',
    },
  ]),
  ...mutantsOf('src/github/runners.ts', [
    {
      id: 'the refusal to remove a busy runner is read as removed',
      find: "      return 'busy';",
      replace: "      return 'removed';",
      tests: adapter,
    },
    {
      id: 'a 403 to a removal is read as gone',
      find: "    if (isRefusal(error, 404)) return 'absent';",
      replace: "    if (isRefusal(error, 404) || isRefusal(error, 403)) return 'absent';",
      tests: adapter,
    },
  ]),
  ...mutantsOf('src/gitlab/visibility.ts', [
    {
      id: 'any 404 is read as gone',
      find: '    /^404 (?:Not found|Runner Not Found)$/.test(error.detail) &&\n',
      replace: '',
      tests: answers,
    },
    {
      id: 'a 404 to a token that may not look is read as gone',
      find: '    await proveSight(client, scope);\n',
      replace: '    proveSight.toString();\n',
      tests: answers,
    },
  ]),
  ...mutantsOf('src/aws/roles.ts', [
    {
      id: 'a role of the very name goes without its tags',
      find: ' || !isTagged(tags, options.keys, shard)) continue;',
      replace: ' || isTagged(tags, options.keys, shard) === undefined) continue;',
      tests: ['test/aws/cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/plan-adoption.ts', [
    {
      id: 'one of two that bear a name is adopted',
      find: ' || another !== undefined',
      replace: '',
    },
  ]),
  ...mutantsOf('src/terraform/holding.ts', [
    {
      id: 'a lock that could not be released has no owner any more',
      find: ' && !isLeft;',
      replace: ' && (isLeft || true);',
      tests: ['test/terraform/unsaved-state.test.ts'],
    },
  ]),
];
