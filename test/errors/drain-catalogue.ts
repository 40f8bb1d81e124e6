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
      reason: 'no host responds to Systems Manager; EC2 reports: i-0abc0000000000001 is stopped',
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
        'the runner no longer exists; Systems Manager lists no responding host, the infrastructure still exists, and EC2 reports: i-0abc is running',
      registrationGone: true,
      readsHosts: true,
      instances: ['i-0abc0000000000001', 'i-0abc0000000000002'],
    }),
    drain.drainBlind({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      reason:
        'no host responds, this GitLab does not report whether jobs run, and the token may be unable to see the jobs of every project',
      registrationGone: false,
      readsHosts: false,
      instances: [],
    }),
    drain.drainJobTooShort({
      runner,
      shard: 'pink',
      stage: 'shutdown',
      reason:
        'only GitLab reports that no job is left, and the token may be unable to see the jobs of every project; another check must confirm it',
      needs: '1h 5m',
      timeout: '1h 15m',
      lasts: '1h',
      registry: 'GitLab',
    }),
  ];
}
