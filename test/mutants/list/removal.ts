import { mutantsOf } from '../mutant.ts';

const adapter = [
  'test/github/runners/registry-contract.test.ts',
  'test/github/rate-limits.test.ts',
];

const answers = [
  'test/gitlab/runners/registry.test.ts',
  'test/gitlab/runners/registry-answers.test.ts',
];

/** What stands between a busy runner and its removal, and between silence and a runner that is gone. */
export const removal = [
  ...mutantsOf('src/domain/drain/given-back.ts', [
    {
      id: 'a job that a dead machine never took is lost at once',
      find: "    if (status !== 'assigned') return false;\n",
      replace: '    if (status.length > 0) return false;\n',
      tests: ['test/scenarios/drain/given-back.test.ts'],
    },
    {
      id: 'a job that is not given back is waited for, for ever',
      find: 'last.at - since < givenBackWithinMs',
      replace: 'last.at - since < Number.POSITIVE_INFINITY',
      tests: ['test/domain/drain/drain.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/guards/removal.ts', [
    {
      id: 'the answer to a DELETE is trusted to spare a running listener',
      find: '    if (why !== undefined) held.push({ worker, why });',
      replace:
        "    if (why !== undefined && !why.includes('listener')) held.push({ worker, why });",
    },
    {
      id: 'a runner that is not busy is removed while its listener runs',
      find: '    if (why !== undefined) held.push({ worker, why });',
      replace:
        "    if (why !== undefined && worker.execution !== 'idle') held.push({ worker, why });",
    },
    {
      id: 'a runner goes in the moment in which its listener has ended',
      find: 'facts.endedForMs(worker.hostId) < facts.redeliveryMs',
      replace: 'facts.endedForMs(worker.hostId) < 0',
    },
    {
      id: 'a runner whose removal was not answered counts as removed',
      find: "outcome === 'unknown');\n  if (unknown !== undefined) {",
      replace:
        "outcome === 'unknown');\n  if (unknown !== undefined && unknown.detail === 'never') {",
    },
    {
      id: 'a runner that is about to register is not waited for',
      find: '  if (awaited !== undefined) {',
      replace: "  if (awaited === 'never') {",
    },
  ]),
  ...mutantsOf('src/domain/drain/drain.ts', [
    {
      id: 'busy is trusted where a host is silent',
      find: "  if (rules.idleWord === 'proves_nothing' && !isEnded && !isBlind(last))",
      replace: "  if (rules.idleWord !== 'proves_nothing' && rules.idleWord !== 'counts')",
    },
  ]),
  ...mutantsOf('src/stages/removal/unregister.ts', [
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
  ...mutantsOf('src/stages/removal/stop.ts', [
    {
      id: 'runners are removed before their processes are stopped',
      find: '  await stopProcesses(context, shard, known);\n  await removeWorkers(context, shard);',
      replace:
        '  await removeWorkers(context, shard);\n  await stopProcesses(context, shard, known);',
    },
    {
      id: 'a shard that somebody has opened after its drain is stopped',
      find: 'deployment.retiring === shard;\n  const known',
      replace: 'deployment.retiring !== shard;\n  const known',
      tests: ['test/scenarios/service/between-shutdown-and-cleanup.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/scripts/actions-runner.ts', [
    {
      id: 'a listener is killed before its record is read',
      find: '  [ "$held" = 0 ] || {',
      replace: '  [ "$held" != "" ] || {',
      tests: ['test/aws/scripts/listener-quit.test.ts'],
    },
    {
      id: 'root follows a link of a job',
      find: ' && [ ! -L "$file" ] || return 1',
      replace: ' || return 1',
      tests: ['test/aws/scripts/hostile-job.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/runners.ts', [
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
  ...mutantsOf('src/adapters/gitlab/not-found.ts', [
    {
      id: 'any 404 is read as gone',
      find: 'runner: /^404 (?:Not found|Runner Not Found)$/',
      replace: 'runner: /^/',
      tests: answers,
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/visibility.ts', [
    {
      id: 'a 404 to a token that may not look is read as gone',
      find: '    await proveSight(client, scope);\n',
      replace: '    proveSight.toString();\n',
      tests: answers,
    },
  ]),
  ...mutantsOf('src/adapters/aws/access/roles.ts', [
    {
      id: 'a role of the very name goes without its tags',
      find: '      if (!isTagged(tags, options.keys, shard)) continue;\n',
      replace: '',
      tests: ['test/aws/cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/plan/plan-adoption.ts', [
    {
      id: 'one of two that bear a name is adopted',
      find: ' || another !== undefined',
      replace: '',
    },
  ]),
  ...mutantsOf('src/adapters/terraform/tfstate/holding.ts', [
    {
      id: 'a lock that could not be released has no owner any more',
      find: ' && !diagnostics.some(isLockRelease);',
      replace: ' && (diagnostics.some(isLockRelease) || true);',
      tests: ['test/terraform/unsaved-state.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/drain/other-runner.ts', [
    {
      id: 'a job of another runner of the shard is not waited for',
      find: '    if (job !== undefined) return `job',
      replace: '    if (job?.id === id) return `job',
      tests: ['test/scenarios/drain/other-runner.test.ts'],
    },
    {
      id: 'a shard is drained while another runner of it is open',
      find: '    if (open) return',
      replace: "    if (open && id === '') return",
      tests: ['test/scenarios/drain/other-runner.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/check-health.ts', [
    {
      id: 'a shard that serves is healthy by its old contact alone',
      find: '  return !mayTakeJobs(service) || isEnded ? service.reason : undefined;',
      replace: '  return !mayTakeJobs(service) && isEnded ? service.reason : undefined;',
      tests: ['test/operator/health-alone.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/open-rungs.ts', [
    {
      id: 'a machine is offered to be ended that no token could start again',
      find: '  if (!isUntried && (await needsNewToken(context, candidate))) return open;\n',
      replace: '',
      tests: ['test/operator/health-alone.test.ts'],
    },
  ]),
];
