import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as lock from '../../src/errors/lock-errors.ts';
import * as state from '../../src/errors/state-errors.ts';

const runner = 'linux';
const holder =
  'anna (shutdown in job 7001 of https://gitlab.example.com/runners/-/pipelines/200, since 2026-11-02 08:13 UTC)';
const held = {
  runner,
  stage: 'provision',
  reason: `${holder}. Job 7001 is running`,
  isAlive: true,
};
const parameter = '/gitlab/dedicated/runner/linux/deployment_record';
const table = 'shard   deployment_status\npink    active\npurple  inactive';
const tableWithoutStatus = 'shard   deployment_status\npink    invalid\npurple  invalid';

/** Errors about the lock and the state in Parameter Store. */
export const stateErrors: readonly DeployError[] = [
  state.contradiction({
    runner,
    reason: 'deployment_status names pink as active, but the record expects purple',
    table,
    activate: 'pink',
  }),
  state.contradiction({
    runner,
    reason: 'deployment_status is invalid: it is empty',
    table: tableWithoutStatus,
    accepting: ['pink', 'purple'],
  }),
  state.recordInvalid({ runner, reason: 'it is not JSON', parameter }),
  state.recordNewer({ runner, schema: 5, known: 4, parameter }),
  state.foreignWrite({ parameter, written: '{"a":1}', found: '{"b":2}', version: 8 }),
  lock.lockHeld(held),
  lock.lockHeld({
    ...held,
    reason: `${holder}. No CI can report whether the holder has ended`,
    isAlive: false,
  }),
  lock.lockHeld({
    ...held,
    reason: `${holder}. No CI can report whether the holder has ended`,
    isAlive: false,
    isOld: true,
  }),
  lock.lockHeld({
    ...held,
    reason:
      'anna on build-7 (shutdown at a terminal, since 2026-11-02 08:13 UTC). Process 4711 of the holder, on this machine, is suspended (Ctrl-Z)',
    byHand: true,
    stoppedPid: 4711,
  }),
  lock.lockInvalid({
    runner,
    parameter: '/gitlab/dedicated/runner/linux/deployment_lock',
    stage: 'provision',
  }),
  lock.lockLost({
    runner,
    stage: 'provision',
    reason: 'the lock now belongs to anna (shutdown at a terminal, since 2026-11-02 08:13 UTC)',
  }),
  state.held({ runner, who: 'deployer', why: 'an incident', since: '2026-11-02T08:00:00.000Z' }),
  state.superseded({
    runner,
    stage: 'provision',
    reason:
      'this pipeline was created at 2026-11-02T08:00:00.000Z, and the pipeline of deployment 1-201 at 2026-11-02T09:00:00.000Z',
  }),
  ...[true, false].map((retires) =>
    state.busyElsewhere({
      runner,
      again: 'prepare',
      reason: retires
        ? 'deployment 1-200 is still draining pink'
        : 'deployment 1-200 is in phase applied, and its pipeline has not ended: pipeline 200 is running',
      retires,
    }),
  ),
  state.busyElsewhere({
    runner,
    again: 'prepare',
    reason:
      'deployment 1-200 is in phase healthy, and its pipeline has not ended: pipeline 200 waits for an approval',
    retires: false,
    approval: { pipelineUrl: 'https://gitlab.example.com/runners/-/pipelines/200' },
  }),
  state.notPrepared({ runner, stage: 'provision', reason: 'there is no deployment record' }),
  state.outOfOrder({
    runner,
    stage: 'cleanup',
    reason: 'pink is not drained; the deployment is in phase promoted',
    next: 'shutdown',
  }),
];
