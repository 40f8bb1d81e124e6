import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as shards from '../../src/errors/shard-errors.ts';

const runner = 'linux';

/** Of a candidate that is not touched, or cannot be used. */
export const candidateErrors: readonly DeployError[] = [
  shards.inactiveShardHealthy({
    runner,
    candidate: 'purple',
    stage: 'provision',
    reason: 'runner 48214: job 7 "build" of customers/shop is running on purple',
  }),
  shards.inactiveShardHealthy({
    runner,
    candidate: 'purple',
    stage: 'provision',
    waitsFor: 'job 7',
    reason: 'runner 48214: job 7 "build" of customers/shop is running on purple; it is not ours',
  }),
  shards.inactiveShardHealthy({
    runner,
    candidate: 'purple',
    stage: 'provision',
    open: 'take the tags linux from runner 48214 in GitLab',
    reason: 'runner 48214 is not paused and has the production tags linux',
  }),
  shards.runsOnItself({ runner, stage: 'shutdown', reason: 'this job runs on runner 48213' }),
  ...(['TokenLost', 'DuplicateRegistrations', 'ForeignRegistration'] as const).map((code) =>
    shards.onboardingRefused({ code, runner, candidate: 'purple', reason: 'what was seen' }),
  ),
];
