import { type Mutant, mutantsOf } from '../mutant.ts';

/** What a host says through Run Command, taken for more than it says. */
export const hosts: readonly Mutant[] = [
  ...mutantsOf('src/adapters/aws/hosts/hosts.ts', [
    {
      id: 'an agent of which AWS says an unknown word is online',
      find: "ping === 'Online' ? 'online' : 'lost'",
      replace: "ping !== 'ConnectionLost' ? 'online' : 'lost'",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'no list of hosts is an empty one',
      find: "    if (page.InstanceInformationList === undefined)\n      throw lacking(ssm, what, 'no InstanceInformationList');\n",
      replace: '    if (page.InstanceInformationList === undefined) continue;\n',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/check-document.ts', [
    {
      id: 'an id of a probe may have a quote in it',
      find: "allowedPattern: '^[a-z0-9]{0,32}$'",
      replace: "allowedPattern: '^.{0,32}$'",
      tests: ['test/aws/access/check-document.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/run-command.ts', [
    {
      id: 'any content of the check document is run',
      find: '    DocumentHash: document.sha256,\n',
      replace: '',
      tests: ['test/aws/access/check-document.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/look-report.ts', [
    {
      id: 'an answer of a host that broke off is whole',
      find: "output.first(`${key}_code`) !== '0' || total === undefined",
      replace: 'total === undefined',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'jobs that a host did not print are none',
      find: 'Math.max(0, total - printed.length)',
      replace: 'Math.min(0, total - printed.length)',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/look-report.ts', [
    {
      id: 'any answer on the runner’s port is its list of jobs',
      find: "answer?.status !== 200 || !answer.headers.has('x-list-version')",
      replace: 'answer?.status !== 200',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a search for workers that failed has found none',
      find: "  if (code !== '1' || found.length > 0) return undefined;",
      replace: "  if (code === '0' || found.length > 0) return undefined;",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a job that a listener holds before its worker is none',
      find: "  return readMessages(output.first('messages'));",
      replace: '  return readMessages(undefined);',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a listener whose worker lives on has stopped',
      find: "unit === 'stopped' && output.all('worker').length > 0 ? 'quitting' : unit",
      replace: "unit === 'stopped' && output.all('worker').length > 99 ? 'quitting' : unit",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'the runner in a wrapper lives as long as the wrapper',
      find: "  if (wrapper === 'stopped') return 'stopped';\n",
      replace: '',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/job-requests.ts', [
    {
      id: 'what another runner of the process is answered is answered to this one',
      find: '  const own = lines.filter(isOf(label));',
      replace: '  const own = lines.filter(() => isOf(label) !== undefined);',
      tests: ['test/aws/scripts/look/several-runners.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/process-state.ts', [
    {
      id: 'whatever docker complains of, the container is absent',
      find: '/No such (?:object|container)\\b/i.test(text)',
      replace: "text !== ''",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a container in a state that nobody knows has stopped',
      find: "containerStates[state] ?? 'unknown'",
      replace: "containerStates[state] ?? 'stopped'",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a unit in a state that nobody knows has stopped',
      find: "unitStates[properties.get('ActiveState') ?? ''] ?? 'unknown'",
      replace: "unitStates[properties.get('ActiveState') ?? ''] ?? 'stopped'",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a container whose unit starts it again has ended',
      find: "restarts: restarts || unit !== 'at_rest',",
      replace: 'restarts,',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a unit that has ended for good starts its container again',
      find: "return hasEnded || properties.get('Restart') === 'no'",
      replace: "return properties.get('Restart') === 'no'",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a container starts again only where docker says always',
      find: "    restarts: policy !== 'no',",
      replace: "    restarts: policy === 'always',",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/stop-result.ts', [
    {
      id: 'a script that was cut off has done what it began',
      find: '  if (kind !== undefined && output.complete) return { kind };',
      replace: '  if (kind !== undefined) return { kind };',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/invocation.ts', [
    {
      id: 'a command that somebody cancelled was never begun',
      find: "      return { kind: 'lost', reason: 'somebody cancelled the command' };",
      replace: "      return undelivered('somebody cancelled the command');",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a command that hung was never begun',
      find: "    case 'executiontimedout':\n      return cutOff(invocation, executionSeconds);",
      replace: "    case 'executiontimedout':\n      return undelivered('it hung');",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a command of an unknown status waits on',
      find: "      return { kind: 'unknown', reason: `the answer has the Status",
      replace: "      return { kind: 'waiting', reason: `the answer has the Status",
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/run-command.ts', [
    {
      id: 'an order whose end cannot be asked for had no effect',
      find: "    throw new PortFailure({ ...error, effect: 'unknown' });",
      replace: '    throw error;',
      tests: ['test/aws/run-command.test.ts'],
    },
    {
      id: 'an order that is not seen to end is waited for twice as long',
      find: '>= limitMs) {',
      replace: '>= limitMs * 2) {',
      tests: ['test/aws/run-command.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/host-output.ts', [
    {
      id: 'a token is accepted by a program that failed',
      find: " && output.first('verify_code') === '0'",
      replace: '',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/observe/ended-hosts.ts', [
    {
      id: 'where hosts are not asked, a shard without a machine is waited for',
      find: '  if (machines === undefined || !machines.every(isDead)) return undefined;\n',
      replace: '  if (machines === undefined || machines.every(isDead)) return undefined;\n',
      tests: ['test/operator/no-machine.test.ts'],
    },
    {
      id: 'where hosts are not asked, a runner that the registry knows of is not activated',
      find: '  if (ageMs !== undefined && ageMs <= silentAfterMs) return undefined;\n',
      replace: '  if (ageMs !== undefined && ageMs <= -silentAfterMs) return undefined;\n',
      tests: ['test/operator/no-machine.test.ts'],
    },
    {
      id: 'an activation waits for a machine that EC2 calls terminated',
      find: '  if (machines.length > 0)\n',
      replace: '  if (machines.length < 0)\n',
      tests: ['test/operator/no-machine.test.ts'],
    },
    {
      id: 'a machine that has ended and is still listed is silent',
      find: 'silent.filter((id) => dead.has(id))',
      replace: 'silent.filter((id) => dead.has(`${id}.`))',
      tests: ['test/stages/ended-hosts.test.ts'],
    },
    {
      id: 'credentials that are out are read as an EC2 that does not tell',
      find: ' || endsRun(error)',
      replace: '',
      tests: ['test/stages/ended-hosts.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/whose-hosts.ts', [
    {
      id: 'what a second runner on the machine is answered proves that the first one serves',
      find: '  if (!reports.some(isAnothers)) return seen;\n',
      replace: '  if (reports.length > 0) return seen;\n',
      tests: ['test/scenarios/service/other-runner-on-host.test.ts'],
    },
    {
      id: 'a list of managers that is empty takes the proof from every host',
      find: '    managers.workers.size > 0 &&\n',
      replace: '',
      tests: ['test/scenarios/service/other-runner-on-host.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/whose-jobs.ts', [
    {
      id: 'where nobody tells on which manager a job began, it began on none',
      find: 'running.size > 0 && theirs !== undefined ?',
      replace: 'running.size > 0 ?',
      tests: ['test/stages/whose-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/work-signs.ts', [
    {
      id: 'a job that the runner itself has failed is a sign that it works',
      find: '  if (wasFailedByRunner(job)) return [];\n',
      replace: '',
      tests: ['test/stages/work-signs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/service-proof.ts', [
    {
      id: 'a canary that the runner itself has failed proves that it serves',
      find: 'isRunnersFault(found) ? failed(found) : ',
      replace: '',
      tests: ['test/scenarios/service/service-proof.test.ts'],
    },
  ]),
];
