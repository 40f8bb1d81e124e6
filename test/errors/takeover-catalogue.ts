import { gitlabWords } from '../../src/adapters/gitlab/words.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as recovery from '../../src/errors/recovery.ts';
import * as takeover from '../../src/errors/takeover.ts';

const runner = 'linux';

export const takeoverErrors: readonly DeployError[] = [
  takeover.nothingToRollBack(runner, 'the deployment is done', 'deploy'),
  takeover.nothingToRollBack(runner, 'the deployment is applied', 'recover'),
  takeover.nothingToRollBack(runner, 'the deployment is destroying', 'finalize'),
  takeover.startUnproven({
    runner,
    shard: 'pink',
    host: 'i-0abc0000000000001',
    reason: 'the runner could not be started: "no such image"',
  }),
  takeover.noSuchRegistration({
    runner,
    shard: 'purple',
    reason: '2 runners have its description',
    found: ['48214', '48215'],
    words: gitlabWords,
  }),
  takeover.noSuchRegistration({
    runner,
    shard: 'purple',
    reason: '0 runners have its description',
    found: [],
    words: gitlabWords,
    isMissing: true,
  }),
  takeover.cannotActivate({
    runner,
    shard: 'pink',
    reason: 'every runner process of pink has ended (i-0abc0000000000001: stopped)',
    goes: 'rollback',
  }),
  takeover.cannotActivate({
    runner,
    shard: 'pink',
    reason: 'no machine of pink exists any more: i-0abc0000000000001 is terminated',
    goes: 'finalize',
  }),
  takeover.registrationOfAnother({
    runner,
    shard: 'purple',
    id: '48213',
    reason: 'its description is "pink-linux"',
    words: gitlabWords,
  }),
  takeover.notConfirmed({
    what: 'pink',
    again: 'hosted-runner recover --runner linux --method cleanup --yes',
  }),
  recovery.nothingToFix(runner, {
    title: 'deployment_status was edited by hand',
    commands: ['hosted-runner activate --shard pink --runner linux'],
  }),
  recovery.cannotRecover({
    runner,
    method: 'rerun',
    reason:
      'the last apply of pink changed nothing, it was found unhealthy, and nothing happened since',
    next: ['hosted-runner recover --runner linux --method replace --yes'],
  }),
  recovery.noRungLeft({
    runner,
    reasons: ['rerun cannot help: …'],
    waits: { job: 'job 7', method: 'auto' },
  }),
  recovery.noRungLeft({ runner, reasons: ['rerun cannot help: …', 'cleanup cannot help: …'] }),
];
