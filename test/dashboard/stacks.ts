import type { StackReport } from '../../src/operator/status-report.ts';
import type { DashboardFacts, StackSight } from '../../src/report/dashboard/dashboard-facts.ts';
import { pink, purple } from '../fakes/builders.ts';

export const now = Date.parse('2026-11-02T10:12:34.000Z');

type Shards = StackReport['shards'];

const quiet = {
  unhealthy_in_a_row: 0,
  endings: [],
  token_endings: [],
  jobs: [],
} satisfies Partial<Shards[number]>;

/** Report of a stack whose old shard drains with one job left. */
export const draining: StackReport = {
  runner: 'linux',
  registry: { registry: 'GitLab', registration: 'runner', managers: 'managers', paused: 'paused' },
  now: 'pink accepts jobs: its process runs. purple is draining.',
  deployment_status: { kind: 'known', active: pink, inactive: purple },
  active_since: '2026-11-02T09:58:00.000Z',
  finding: null,
  unanswered: [],
  deployment: {
    id: '101-5001' as never,
    kind: 'deploy',
    pipelineCreatedAt: '2026-11-02T09:49:00.000Z',
    pipelineUrl: 'https://gitlab.example.com/acme/runners/-/pipelines/5001',
    by: 'anna',
    candidate: pink,
    retiring: purple,
    phase: 'draining',
    phaseAt: '2026-11-02T10:00:00.000Z',
    startedAt: '2026-11-02T09:50:00.000Z',
    closedAt: '2026-11-02T10:00:30.000Z',
  },
  lock: {
    by: 'anna (shutdown in job 7001 of deployment 101-5001, since 2026-11-02 10:00 UTC)',
    state: 'at_work',
    reason:
      'anna (shutdown in job 7001 of deployment 101-5001, since 2026-11-02 10:00 UTC). Job 7001 runs',
  },
  hold: null,
  shards: [
    {
      ...quiet,
      shard: 'pink',
      role: 'active, candidate',
      service: { verdict: 'proven', reason: 'its process runs' },
      applied_at: '2026-11-02T09:52:00.000Z',
      proven_at: '2026-11-02T09:56:00.000Z',
      registrations: [
        {
          id: '48002',
          paused: false,
          tags: ['linux', 'docker'],
          contacted: true,
          managers: [
            {
              id: 70002,
              version: '19.4.0',
              system_id: 's_2',
              created_at: '2026-11-02T09:53:00.000Z',
              contacted_at: '2026-11-02T10:12:30.000Z',
            },
          ],
        },
      ],
      hosts: [{ id: 'i-0abc', agent: 'online' }],
    },
    {
      ...quiet,
      shard: 'purple',
      role: 'inactive, retiring',
      service: { verdict: 'closed', reason: 'runner 48001 is paused' },
      unhealthy_in_a_row: 2,
      registrations: [
        {
          id: '48001',
          paused: true,
          tags: ['linux'],
          contacted: true,
          managers: [
            {
              id: 70001,
              version: '18.2.0',
              system_id: 's_1',
              created_at: '2026-10-28T07:00:00.000Z',
            },
          ],
        },
      ],
      hosts: [],
      endings: ['18.2.0 is taken until 2026-11-20'],
      jobs: [
        {
          id: '900017',
          name: 'integration',
          status: 'running',
          url: 'https://gitlab.example.com/acme/app/-/jobs/900017',
          started_at: '2026-11-02T09:40:00.000Z',
        },
      ],
    },
  ],
  history: [
    {
      id: '100-4900',
      kind: 'deploy',
      candidate: 'purple',
      finishedAt: '2026-10-28T07:10:00.000Z',
      cost: 'jobs=3 broken=0 wait=41s two_shards=1260s',
    },
    { id: '99-4800', kind: 'rollback', candidate: 'pink', finishedAt: '2026-10-20T07:10:00.000Z' },
  ],
};

/** Report before the first deployment. */
export const fresh: StackReport = {
  ...draining,
  runner: 'windows',
  now: 'No shard is active yet: there is no deployment_status. No deployment is recorded.',
  deployment_status: { kind: 'absent' },
  active_since: null,
  deployment: null,
  lock: null,
  shards: [
    {
      ...quiet,
      shard: 'pink',
      role: 'not known',
      service: { verdict: 'closed', reason: 'it has no runner' },
      registrations: [],
      hosts: [],
    },
    {
      ...quiet,
      shard: 'purple',
      role: 'not known',
      service: { verdict: 'closed', reason: 'it has no runner' },
      registrations: [],
      hosts: 'host.access is none',
    },
  ],
  history: [],
};

export const unread: StackSight = {
  runner: 'lost',
  trouble: {
    code: 'PermissionMissing',
    what: 'SSM GetParameter: the call is not permitted.',
    why: ['"AccessDeniedException"'],
    fix: [
      'Grant the permission named above.',
      'Then run it again: hosted-runner status --runner lost',
    ],
  },
};

export function sightOf(report: StackReport): StackSight {
  return { runner: report.runner, seen: { report, at: now } };
}

export const three: DashboardFacts = {
  now,
  stacks: [sightOf(draining), sightOf(fresh), unread],
};

/** Hostile text of another party. */
export const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>&#x3c;'`;

/** Returns a stack in which every text of another party is hostile. */
export function hostileStack(): StackSight {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return /^\d{4}-/.test(value) ? value : `${value} ${hostile}`;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, walk(entry)]));
  };
  const report = walk({
    ...draining,
    hold: { who: 'bob', why: 'noon', since: 'long ago' },
  }) as StackReport;
  const shards = report.shards.map((shard, index) => ({
    ...shard,
    service: { ...shard.service, verdict: draining.shards[index]?.service.verdict ?? 'unknown' },
    jobs: [
      { id: '1', name: hostile, status: 'running', url: 'javascript:alert(1)' },
      { id: '2', name: hostile, status: 'running', url: `https://x.example/${hostile}` },
    ],
  }));
  return {
    runner: 'linux',
    seen: { report: { ...report, shards }, at: now },
    trouble: { code: hostile, what: hostile, why: [hostile], now: hostile, fix: [hostile] },
  };
}
