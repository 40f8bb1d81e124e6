import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as recovery from '../../src/errors/recovery-errors.ts';
import * as takeover from '../../src/errors/takeover-errors.ts';

const runner = 'linux';
const finish = [{ text: 'Finish the deployment', command: 'finalize', runner }];

export const takeoverErrors: readonly DeployError[] = [
  takeover.nothingToRollBack(runner, 'the deployment is done', 'deploy'),
  takeover.nothingToRollBack(runner, 'the deployment is in phase applied', 'recover'),
  takeover.nothingToRollBack(runner, 'the deployment is in phase destroying', { finish }),
  takeover.startUnproven({
    runner,
    shard: 'pink',
    host: 'i-0abc0000000000001',
    reason: 'the runner could not be started: "no such image"',
    again: 'hosted-runner rollback --runner linux',
  }),
  ...[false, true].map((isTyped) =>
    takeover.rolledBackBefore({
      runner,
      found: {
        id: '278964-1312',
        at: '2026-11-20T10:00:00.000Z',
        why: 'kim rolled back: jobs cannot reach the registry',
      },
      compared: ['The settings, the image ami-0abc1234def567890 and the plan are identical.'],
      isTyped,
    }),
  ),
  takeover.noSuchRegistration({
    runner,
    shard: 'purple',
    reason: '2 runners have the description of purple',
    found: ['48214', '48215'],
    words: gitlabTerms,
  }),
  takeover.noSuchRegistration({
    runner,
    shard: 'purple',
    reason: 'no runner has the description of purple',
    found: [],
    words: gitlabTerms,
    isMissing: true,
  }),
  takeover.noSuchRegistration({
    runner,
    shard: 'purple',
    reason: 'there is no runner 99999',
    found: [],
    words: gitlabTerms,
    isMistyped: true,
  }),
  takeover.cannotActivate({
    other: 'purple',
    runner,
    shard: 'pink',
    reason: 'every runner process of pink has ended (i-0abc0000000000001: stopped)',
    goes: 'rollback',
  }),
  takeover.cannotActivate({
    other: 'purple',
    runner,
    shard: 'pink',
    reason: 'no machine of pink exists: i-0abc0000000000001 is terminated',
    goes: { finish },
  }),
  takeover.cannotActivate({
    runner,
    shard: 'purple',
    other: 'pink',
    reason: 'no machine of purple exists: i-0abc0000000000002 is terminated',
    goes: 'rollback_to_other',
  }),
  takeover.cannotActivate({
    runner,
    shard: 'pink',
    other: 'purple',
    reason: 'no machine of pink exists: i-0abc0000000000001 is terminated',
    goes: 'activate_other',
  }),
  takeover.cannotActivate({
    runner,
    shard: 'pink',
    other: 'purple',
    reason: 'no machine of pink exists: i-0abc0000000000001 is terminated',
    goes: 'recover_other',
  }),
  takeover.cannotActivate({
    runner,
    shard: 'pink',
    other: 'purple',
    reason: 'the last activation of pink failed, and it is not completely undone',
    goes: 'recover',
    isRolledBack: true,
  }),
  takeover.registrationOfOtherShard({
    runner,
    shard: 'purple',
    id: '48213',
    kind: 'others',
    reason: 'its description is "pink-linux"',
    words: gitlabTerms,
  }),
  takeover.registrationOfOtherShard({
    runner,
    shard: 'purple',
    id: '48002',
    kind: 'unproven',
    reason: 'its description is "wrong-one", and it has no manager',
    words: gitlabTerms,
  }),
  takeover.registrationOfOtherShard({
    runner,
    shard: 'purple',
    id: '48004',
    kind: 'begun_with_another',
    reason: 'the activation is in phase promoting',
    recorded: '48003',
    goes: 'activate',
    words: gitlabTerms,
  }),
  takeover.registrationOfOtherShard({
    runner,
    shard: 'purple',
    id: '48004',
    kind: 'begun_with_another',
    reason: 'the activation is in phase promoted',
    recorded: '48003',
    goes: 'finalize',
    words: gitlabTerms,
  }),
  takeover.notConfirmed({
    shard: 'pink',
    command: { command: 'recover', runner, more: '--method cleanup' },
  }),
  takeover.notConfirmed({
    shard: 'pink',
    command: { command: 'recover', runner, more: '--method cleanup' },
    typed: 'purple',
  }),
  recovery.noShardAcceptsJobs({
    runner,
    stage: 'finalize',
    active: 'pink',
    candidate: 'purple',
    phase: 'applied',
    reason: 'no machine of pink exists: i-0abc0000000000001 is terminated',
    isProven: false,
  }),
  ...[true, false].map((takesNoNewJob) =>
    recovery.noShardAcceptsJobsAtRest({
      runner,
      active: 'purple',
      other: 'pink',
      reason: takesNoNewJob
        ? 'runner 48214 of purple is paused'
        : 'no machine of purple exists: i-0abc0000000000002 is terminated',
      takesNoNewJob,
    }),
  ),
  recovery.nothingToFix(runner, {
    title: 'deployment_status was edited by hand',
    commands: [{ command: 'activate', runner, more: '--shard pink' }],
  }),
  recovery.cannotRecover({
    runner,
    method: 'rerun',
    reason: 'pink was found unhealthy after its last apply, which changed nothing',
    next: [
      {
        text: 'Use replace instead',
        command: 'recover',
        runner,
        more: '--method replace',
        wantsYes: true,
      },
    ],
  }),
  recovery.noMethodLeft({
    runner,
    reasons: ['rerun cannot help: …'],
    waits: { job: 'job 7', method: 'auto' },
  }),
  recovery.noMethodLeft({ runner, reasons: ['rerun cannot help: …', 'cleanup cannot help: …'] }),
];
