import type { StackReport } from '../../src/operator/status-report.ts';
import type { DashboardFacts } from '../../src/report/dashboard/dashboard-facts.ts';
import { pink, purple } from '../fakes/builders.ts';
import { draining, fresh, now, sightOf } from './stacks.ts';

/** Report of a deployment whose candidate failed its healthcheck, after a rollback. */
export const failed: StackReport = {
  ...draining,
  runner: 'a-stack-with-a-long-name-for-linux-docker-runners-of-the-platform-team',
  now: 'purple accepts jobs: its process runs. pink is built and in quarantine.',
  deployment_status: { kind: 'known', active: purple, inactive: pink },
  finding: {
    code: 'unhealthy_candidate' as never,
    title: 'The candidate failed its healthcheck',
    seen: 'pink: 2 unhealthy verdicts in a row',
    next: 'hosted-runner recover --runner linux --method replace',
  },
  deployment: { ...draining.deployment, phase: 'applied' } as StackReport['deployment'],
  lock: null,
  shards: draining.shards.map((shard) =>
    shard.shard === 'pink'
      ? {
          ...shard,
          role: 'inactive, candidate',
          service: { verdict: 'closed', reason: 'runner 48002 lacks the production tags' },
          unhealthy_in_a_row: 2,
        }
      : {
          ...shard,
          role: 'active, retiring',
          service: { verdict: 'proven', reason: 'its process runs' },
          jobs: shard.jobs.map((job) => ({ ...job, name: 'integration-'.repeat(20) })),
        },
  ),
  history: [
    {
      id: '100-4900',
      kind: 'rollback',
      candidate: 'purple',
      finishedAt: '2026-10-28T07:10:00.000Z',
    },
    {
      id: '99-4800',
      kind: 'deploy',
      candidate: 'pink',
      finishedAt: '2026-10-27T07:10:00.000Z',
      takenBack: true,
    },
  ],
};

/** Facts of a large fleet before its first deployment. */
export const thirty: DashboardFacts = {
  now,
  stacks: Array.from({ length: 30 }, (_, at) =>
    sightOf({ ...fresh, runner: `stack-${at + 1}`, history: failed.history }),
  ),
};
