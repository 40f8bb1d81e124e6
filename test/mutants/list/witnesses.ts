import { type Mutant, mutantsOf } from '../mutant.ts';

/** What somebody else says, taken for more than it says. */
export const witnesses: readonly Mutant[] = [
  ...mutantsOf('src/stages/record/lock/lock-claim.ts', [
    {
      id: 'a first entry whose answer is lost is ours though nobody sees it',
      find: '  if (version === undefined) throw error;\n  return version;',
      replace: '  return version ?? 1;',
      tests: ['test/record/lock.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/journal.ts', [
    {
      id: 'the fence compares numbers and no text',
      find: "(found?.version ?? 0) === version && (found?.value ?? '') === text) return;",
      replace: '(found?.version ?? 0) === version) return;',
      tests: ['test/record/journal.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/runner-jobs.ts', [
    {
      id: 'jobs are listed against the order of their lives',
      find: "['pending', 'running', 'canceling'] as const",
      replace: "['canceling', 'running', 'pending'] as const",
      tests: ['test/gitlab/jobs/moving-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/health/managers.ts', [
    {
      id: 'a host whose process is stopped vouches for a manager',
      find: "process === 'running' && systemId",
      replace: "process !== 'absent' && systemId",
      tests: ['test/stages/managers.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/recovery.ts', [
    {
      id: 'recover takes the active shard away while a promotion is under way',
      find: '  if (active === shard) return',
      replace: "  if (active === shard && phase !== 'promoting') return",
      tests: ['test/domain/deployment/recovery-of-the-active.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/terraform/tfstate/lock.ts', [
    {
      id: 'a state’s lock that somebody has taken since is broken',
      find: ' && since <= holder.heldAt',
      replace: '',
      tests: ['test/terraform/whose-lock.test.ts'],
    },
    {
      id: 'a state’s lock of a living process is broken',
      find: "processes.isAlive(holder.process) !== 'dead'",
      replace: "processes.isAlive(holder.process) === 'alive'",
      tests: ['test/terraform/whose-lock.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runners/closing.ts', [
    {
      id: 'GitHub’s intake is closed while runners keep labels',
      find: 'labelsOf(one).length === 0 && placement.isThere(one)',
      replace: 'placement.isThere(one)',
      tests: ['test/github/runners/intake.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registry-writes.ts', [
    {
      id: 'a 404 to a removal is believed though the runner is still shown',
      find: "  if (shown.kind === 'absent') return 'absent';",
      replace: "  if (shown.kind.length > 0) return 'absent';",
      tests: ['test/gitlab/runners/registry-writes.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/health/healthcheck.ts', [
    {
      id: 'evidence from the future is young',
      find: 'ageMs >= 0 && ',
      replace: '',
      tests: ['test/stages/evidence-age.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/onboarding.ts', [
    {
      id: 'a token is reset whose contact GitLab has forgotten and the record knows',
      find: '  if (!contacted.includes(kept)) {',
      replace: '  if (!kept.contacted) {',
      tests: ['test/domain/deployment/onboarding.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/address.ts', [
    {
      id: 'plain http is fine for every address',
      find: '  if (secretless || isLoopback(url.hostname)) return undefined;',
      replace: "  if (secretless || url.hostname !== '') return undefined;",
      tests: ['test/aws/access/clear-text.test.ts', 'test/surface/unsafe-environment.test.ts'],
    },
  ]),
  ...mutantsOf('src/config/rules/authority.ts', [
    {
      id: 'a variable leads the token elsewhere',
      find: '  if (!addresses.includes(one.name) || entry.rank === ranks.flag) return undefined;',
      replace: '  if (addresses.includes(one.name) || entry.rank === ranks.flag) return undefined;',
      tests: ['test/config/authority.test.ts'],
    },
    {
      id: 'a locked key is open to variables',
      find: '  if (isLocked && !isSame(one, entry, known)) {',
      replace: '  if (isLocked && isSame(one, entry, known)) {',
      tests: ['test/config/authority.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/words/sanitize.ts', [
    {
      id: 'a command of GitHub’s hides behind another space',
      find: 'const commands = /^(?:[^\\S\\n]*::',
      replace: 'const commands = /^(?:[ \\t]*::',
      tests: ['test/transport/words/workflow-commands.test.ts'],
    },
  ]),
  ...mutantsOf('sandbox/listening.ts', [
    {
      id: 'the sandbox answers to any name that points to it',
      find: "  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) {",
      replace: "  if (host === '') {",
      tests: ['test/sandbox/strangers.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/service-proof.ts', [
    {
      id: 'a canary is asked of a shard that has no machine left',
      find: "if (service.kind !== 'unknown' || service.ended === true) return service;",
      replace: "if (service.kind !== 'unknown') return service;",
      tests: ['test/scenarios/service/service-proof.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/health/service.ts', [
    {
      id: 'a job of a moment ago proves a shard of which every process says that it takes none',
      find: '  if (!isAnswered && isTold) return false;\n',
      replace: '',
      tests: ['test/domain/health/service.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/see-hosts.ts', [
    {
      id: 'what cannot be asked about its infrastructure ends who looks whether a shard serves',
      find: 'if (!isDeployError(error) || error.exitCode === 130) throw error;',
      replace: 'throw error;',
      tests: ['test/scenarios/service/without-terraform.test.ts'],
    },
    {
      id: 'a cancel is a word about the infrastructure',
      find: 'if (!isDeployError(error) || error.exitCode === 130) throw error;',
      replace: 'if (!isDeployError(error)) throw error;',
      tests: ['test/scenarios/service/without-terraform.test.ts'],
    },
    {
      id: 'hosts are waited for after a cancel, too',
      find: '  if (limitMs === undefined) return asked;\n',
      replace: '  if (limitMs !== 0) return asked;\n',
      tests: ['test/scenarios/drain/cancelled-waits.test.ts'],
    },
    {
      id: 'where no host may be asked, nobody is asked whether its machine lives',
      find: '!machines.every(isDead)) return',
      replace: 'machines.every(isDead)) return',
      tests: ['test/scenarios/service/service-proof.test.ts'],
    },
    {
      id: 'one terminated machine of several ends a shard whose hosts are not asked',
      find: '!machines.every(isDead)) return',
      replace: '!machines.some(isDead)) return',
      tests: ['test/scenarios/service/service-proof.test.ts'],
    },
  ]),
];
