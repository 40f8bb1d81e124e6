import * as bake from '../../src/errors/bake-errors.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as service from '../../src/errors/service-errors.ts';
import * as state from '../../src/errors/state-errors.ts';

const bakeFacts = {
  runner: 'linux',
  candidate: 'purple',
  retiring: 'pink',
  reason: '2 runner system failures in 2 jobs, for example job 7 "build" (runner_system_failure)',
} as const;

/** Errors about a promoted shard during a bake. */
export const bakeCatalogue: readonly DeployError[] = [
  bake.bakeUnfinished({
    ...bakeFacts,
    stage: 'bake',
    reason: '3 of 20 customer jobs have finished on the new shard',
    until: '2026-11-02T16:00:00.000Z',
  }),
  bake.bakeHeld({ ...bakeFacts, verdict: 'unhealthy' }),
  bake.rolledBack({ runner: 'linux', id: '1-200', why: bakeFacts.reason, isTyped: true }),
  bake.rolledBack({
    runner: 'linux',
    id: '1-200',
    why: bakeFacts.reason,
    isTyped: false,
    unfinished: 'purple is still draining; this run stops now, before its CI job times out.',
  }),
  bake.rollbackUnproven({
    runner: 'linux',
    bad: 'purple',
    old: 'pink',
    why: bakeFacts.reason,
    reasons: ['no host of pink is running'],
    acceptsJobs: true,
    takesNoNewJob: true,
  }),
];

const words = { registration: 'runner', paused: 'paused', unpaused: 'unpaused' } as const;

const gone = {
  kind: 'disproven',
  reason: 'no machine of purple exists: i-0abc is terminated',
} as const;

/** Errors about shards that are not verified. */
export function serviceCatalogue(runner: string): readonly DeployError[] {
  const rollbacks = {
    runner,
    shard: 'purple',
    registration: '48214',
    words,
    back: undefined,
    isStopped: false,
    pausedByOther: false,
  } as const;
  return [
    state.contradiction({
      runner,
      reason: 'deployment_status names pink as active, but the record expects purple',
      table: 'shard   deployment_status\npink    active\npurple  inactive',
      opened: 'pink',
      undo: {
        parameter: '/gitlab/dedicated/runner/linux/deployment_status',
        value: '{"active_shard":"purple","inactive_shard":"pink"}',
      },
    }),
    service.serviceUnproven({
      runner,
      stage: 'cleanup',
      shard: 'pink',
      other: 'purple',
      use: 'runner 48213 of pink has production tags',
      service: gone,
      back: 'deploy',
      canForceRemoval: true,
    }),
    service.serviceUnproven({
      runner,
      stage: 'cleanup',
      shard: 'pink',
      other: 'purple',
      use: 'runner 48213 of pink has production tags',
      service: {
        kind: 'unknown',
        reason:
          'runner 48214 of purple is unpaused and has its tags; on i-0abc, the SSM agent does not respond',
        missing: 'a job or canary that started on purple in the last 30m',
        open: true,
        against: false,
      },
      back: undefined,
      canForceRemoval: false,
    }),
    service.serviceUnproven({
      runner,
      stage: 'shutdown',
      shard: 'pink',
      other: 'purple',
      use: 'the drain would pause pink',
      service: { kind: 'closed', reason: 'runner 48214 of purple is paused' },
      back: 'deploy',
      canForceRemoval: false,
    }),
    service.cancelledOpened({
      times: 1,
      runner,
      stage: 'deploy',
      again: 'hosted-runner deploy --runner linux',
      drained: 'pink',
      other: 'purple',
      service: gone,
      kind: 'deploy',
      opened: true,
    }),
    service.cancelledPaused({
      stage: 'deploy',
      again: 'hosted-runner deploy --runner linux',
      drained: 'pink',
      why: 'purple accepts jobs. If purple stops accepting jobs, the next run of finalize reopens pink, but hosted-runner knows of no schedule for finalize',
    }),
    service.cancelledOpened({
      times: 2,
      runner,
      stage: 'deploy',
      again: 'hosted-runner deploy --runner linux',
      drained: 'pink',
      other: 'purple',
      service: gone,
      kind: 'deploy',
      opened: false,
    }),
    service.serviceLost({
      runner,
      stage: 'shutdown',
      drained: 'pink',
      other: 'purple',
      service: gone,
      opened: true,
      pausedByOther: false,
      times: 2,
      back: 'deploy',
      canForceRemoval: false,
    }),
    ...(['deploy', undefined] as const).map((back) =>
      service.serviceLost({
        runner,
        stage: 'finalize',
        drained: 'pink',
        other: 'purple',
        service: { ...gone, gone: true },
        opened: true,
        pausedByOther: false,
        times: 1,
        back,
        canForceRemoval: false,
      }),
    ),
    service.serviceLost({
      runner,
      stage: 'cleanup',
      drained: 'pink',
      other: 'purple',
      service: {
        kind: 'unknown',
        reason: 'the runner of purple could not be read: GitLab GET /runners/48214: 502',
        missing: 'a response from GitLab',
        open: false,
        against: false,
      },
      opened: false,
      pausedByOther: true,
      times: 0,
      back: 'rollback',
      canForceRemoval: true,
    }),
    service.reopenedTwice({
      runner,
      drained: 'pink',
      other: 'purple',
      times: 2,
      why: 'every runner process of purple has ended (i-0abc: its process is stopped)',
      back: 'deploy',
      canForceRemoval: false,
    }),
    service.reopenedTwice({
      runner,
      drained: 'pink',
      other: 'purple',
      times: 2,
      why: 'no machine of purple exists: i-0abc is terminated',
      back: undefined,
      canForceRemoval: true,
    }),
    service.openedByOther({
      runner,
      stage: 'shutdown',
      shard: 'pink',
      registration: '48213',
      words,
      back: 'deploy',
      isStopped: false,
      pausedByOther: false,
    }),
    service.openedByOther({
      runner,
      stage: 'cleanup',
      shard: 'pink',
      registration: '48213',
      words,
      back: undefined,
      isStopped: true,
      pausedByOther: true,
    }),
    service.openedByOther({ ...rollbacks, stage: 'activate', retreat: { refused: undefined } }),
    service.openedByOther({
      ...rollbacks,
      stage: 'provision',
      retreat: { refused: 'no machine of purple exists: i-0abc is terminated' },
    }),
  ];
}
