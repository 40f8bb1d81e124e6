import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as drain from '../../src/errors/drain-errors.ts';

export function drainCatalogue({
  runner,
  jobs,
}: {
  runner: string;
  jobs: readonly string[];
}): readonly DeployError[] {
  return [
    drain.drainUnfinished({ runner, shard: 'pink', stage: 'shutdown', jobs, reason: 'job 9 runs' }),
    drain.drainUnfinished({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      jobs: [],
      stopped: ['i-0abc0000000000001'],
      reason: 'Systems Manager has none that answers, EC2 says: i-0abc0000000000001 is stopped',
    }),
    drain.proofTooOld({
      runner,
      stage: 'shutdown',
      shard: 'pink',
      other: 'purple',
      back: 'deploy',
      times: 3,
      ago: '3m',
      most: '2m',
      isOld: false,
    }),
    drain.drainTimedOut({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      after: '30m',
      jobs,
      reason: 'job 9000002 "build" is running',
      readsHosts: true,
    }),
    drain.drainBlind({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      reason:
        'the registration is gone and no host answers (Systems Manager has none that answers, the infrastructure is present, EC2 says: i-0abc is running)',
      registrationGone: true,
      readsHosts: true,
      instances: ['i-0abc0000000000001', 'i-0abc0000000000002'],
    }),
    drain.drainBlind({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      reason:
        'no host answers, this GitLab does not say whether jobs run, and of the token it is known only that it may not see the jobs of every project',
      registrationGone: false,
      readsHosts: false,
      instances: [],
    }),
    drain.drainJobTooShort({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      reason:
        'GitLab alone says that no job is left, to a token of which it is known only that it may not see the jobs of every project; seen again before it counts',
      needs: '1h 5m',
      lasts: '1h',
      registry: 'GitLab',
    }),
  ];
}
