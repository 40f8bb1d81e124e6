import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as shards from '../../src/errors/shard-errors.ts';

const runner = 'linux';

const onboardingReasons = {
  TokenLost:
    'a runner manager uses the token of runner 48214, but Parameter Store no longer has it',
  DuplicateRegistrations:
    "runners 48214 and 48215 both have the candidate's description, and runner managers of both have contacted GitLab",
  ForeignRegistration:
    "runner 48215 was not created by hosted-runner, and has the description of the candidate's runner",
} as const;

/** Errors about a candidate that must not be changed or cannot be used. */
export const candidateErrors: readonly DeployError[] = [
  shards.inactiveShardHealthy({
    runner,
    candidate: 'purple',
    stage: 'provision',
    reason: 'runner 48214 has a job: job 7 "build" of customers/shop is running on purple',
  }),
  shards.inactiveShardHealthy({
    runner,
    candidate: 'purple',
    stage: 'provision',
    waitsFor: 'job 7',
    reason:
      'runner 48214 has a job: job 7 "build" of customers/shop is running on purple; hosted-runner did not start it',
  }),
  shards.inactiveShardHealthy({
    runner,
    candidate: 'purple',
    stage: 'provision',
    open: 'remove the tag linux from runner 48214 in GitLab',
    reason: 'runner 48214 of purple is not paused and has the production tags linux',
  }),
  shards.runsOnItself({ runner, stage: 'shutdown', reason: 'this job runs on runner 48213' }),
  ...(['TokenLost', 'DuplicateRegistrations', 'ForeignRegistration'] as const).map((code) =>
    shards.onboardingRefused({
      code,
      runner,
      candidate: 'purple',
      reason: onboardingReasons[code],
    }),
  ),
];
