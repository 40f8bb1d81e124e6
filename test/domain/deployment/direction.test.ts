import { describe, expect, test } from '@jest/globals';
import { chooseDirection, type DirectionFacts } from '../../../src/domain/deployment/direction.ts';
import type { OwnerState } from '../../../src/domain/deployment/lock/pipeline-state.ts';
import { allPhases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { phasesFrom, pink, purple, recordAt } from '../samples.ts';

const pinkActive = { kind: 'known', active: pink, inactive: purple } as const;
const purpleActive = { kind: 'known', active: purple, inactive: pink } as const;
const absent = { kind: 'absent' } as const;
const over: OwnerState = { kind: 'over', reason: 'its pipeline is finished' };

/**
 * Chooses the direction for a pipeline of nine o'clock, on a stack without a record and with pink
 * active.
 */
function direction(changes: Partial<DirectionFacts> = {}) {
  return chooseDirection({
    shards: [pink, purple],
    run: { deploymentId: '1-300', pipelineCreatedAt: '2026-11-02T09:00:00.000Z' },
    status: pinkActive,
    record: undefined,
    registrations: { pink: 1 },
    accepting: [pink],
    ended: [],
    ...changes,
  });
}

const own = { deploymentId: '1-200', pipelineCreatedAt: '2026-11-02T08:00:00.000Z' };

describe('the direction without a record', () => {
  test.each<[string, Partial<DirectionFacts>, object]>([
    [
      'a stack without any resources begins with its first shard',
      { status: absent, registrations: {}, accepting: [] },
      {
        kind: 'begin',
        candidate: pink,
        reason: 'first deployment: no status, no record, no runner',
      },
    ],
    [
      'a stack with one shard that accepts jobs is taken over',
      {},
      {
        kind: 'begin',
        candidate: purple,
        retiring: pink,
        reason: 'pink is active; the stack has no deployment record, so it is taken over as it is',
      },
    ],
    [
      'a runner without a status is a contradiction',
      { status: absent },
      {
        kind: 'contradiction',
        reason: 'neither deployment_status nor a record exists, but pink has a runner',
      },
    ],
    [
      'an active shard that is not verified is a contradiction',
      { accepting: [] },
      {
        kind: 'contradiction',
        reason:
          'there is no record, and it is not verified that the active shard, pink, accepts jobs',
      },
    ],
    [
      'a dead active shard is replaced by the other shard',
      { accepting: [], ended: [pink] },
      {
        kind: 'begin',
        candidate: purple,
        retiring: pink,
        reason: 'pink is active but can no longer accept jobs; the other shard replaces it',
      },
    ],
    [
      'a dead active shard beside a shard with a runner is a contradiction',
      { accepting: [], ended: [pink], registrations: { pink: 1, purple: 1 } },
      {
        kind: 'contradiction',
        reason: 'there is no record, but the inactive shard, purple, has a runner',
      },
    ],
    [
      'an inactive shard with a runner is a contradiction',
      { registrations: { pink: 1, purple: 1 } },
      {
        kind: 'contradiction',
        reason: 'there is no record, but the inactive shard, purple, has a runner',
      },
    ],
    [
      'an unreadable status is a contradiction',
      { status: { kind: 'invalid', reason: 'it is empty' } },
      { kind: 'contradiction', reason: 'deployment_status is invalid: it is empty' },
    ],
  ])('%s', (_, facts, expected) => {
    expect(direction(facts)).toEqual(expected);
  });
});

describe('the direction for the id in the record', () => {
  test.each(allPhases.filter((phase) => phase !== 'done'))('resumes %s', (phase) => {
    const record = recordAt({ phase });
    const isSwitched = phasesFrom('promoted').some((later) => later === phase);
    const status = isSwitched ? purpleActive : pinkActive;
    expect(direction({ run: own, record, status })).toEqual({
      kind: 'resume',
      reason: `deployment 1-200 is in phase ${phase}`,
    });
  });

  test('counts done as finished whatever the status contains', () => {
    const status = { kind: 'invalid', reason: 'it is empty' } as const;
    expect(direction({ run: own, record: recordAt({ phase: 'done' }), status })).toEqual({
      kind: 'finished',
      reason: 'deployment 1-200 is done',
    });
  });

  test('counts a deployment of the history as finished, even if its pipeline is older', () => {
    const run = { deploymentId: '1-100', pipelineCreatedAt: '2026-11-01T08:00:00.000Z' };
    expect(direction({ run, record: recordAt() })).toEqual({
      kind: 'finished',
      reason: 'deployment 1-100 is done',
    });
  });
});

describe('the direction for an id that the record lacks', () => {
  test.each([
    ['older', '2026-11-02T07:59:59.999Z'],
    ['equally old', '2026-11-02T08:00:00.000Z'],
    ['older, in another time zone', '2026-11-02T09:30:00.000+02:00'],
  ])('refuses a deployment as superseded if its pipeline is %s', (_, pipelineCreatedAt) => {
    const run = { deploymentId: '1-150', pipelineCreatedAt };
    expect(direction({ run, record: recordAt({ phase: 'done' }) })).toMatchObject({
      kind: 'superseded',
    });
  });

  test('reverses the direction after a finished deployment', () => {
    const record = recordAt({ phase: 'done' });
    expect(direction({ record, status: purpleActive })).toEqual({
      kind: 'begin',
      candidate: pink,
      retiring: purple,
      reason: 'purple has been active since 2026-11-02',
    });
  });

  test.each([
    ['prepared', 'is adopted with its candidate purple', false],
    ['onboarded', 'is adopted with its candidate purple', false],
    ['applying', 'is adopted with its candidate purple', false],
    ['applied', 'is adopted with its candidate purple', false],
    ['healthy', 'is adopted with its candidate purple', false],
    ['retreating', 'is adopted with its candidate purple', false],
    ['promoting', 'is finished first', true],
    ['promoted', 'is finished first', true],
    ['drained', 'is finished first', true],
    ['destroying', 'is finished first', true],
  ] as const)('a %s deployment whose pipeline has ended %s', (phase, what, finishOnly) => {
    const status = finishOnly && phase !== 'promoting' ? purpleActive : pinkActive;
    expect(direction({ record: recordAt({ phase }), status, owner: over })).toEqual({
      kind: 'adopt',
      finishOnly,
      reason: `deployment 1-200 is in phase ${phase}, its pipeline has ended (its pipeline is finished); it ${what}`,
    });
  });

  test('does not adopt a drain, because prepare does not wait for it', () => {
    const record = recordAt({ phase: 'draining' });
    expect(direction({ record, status: purpleActive, owner: over })).toEqual({
      kind: 'busy',
      reason: 'deployment 1-200 is still draining pink',
    });
  });

  test.each<[string, OwnerState | undefined, string]>([
    [
      'runs',
      { kind: 'alive', reason: 'its job 7 runs' },
      'its pipeline has not ended: its job 7 runs',
    ],
    [
      'is unknown',
      { kind: 'unknown', reason: 'HTTP 500' },
      'it is unknown whether its pipeline has ended: HTTP 500',
    ],
    [
      'was not queried',
      undefined,
      'it is unknown whether its pipeline has ended: the pipeline was not queried',
    ],
  ])('adopts nothing while its pipeline %s', (_, owner, reason) => {
    const facts = {
      record: recordAt({ phase: 'applied' }),
      ...(owner === undefined ? {} : { owner }),
    };
    expect(direction(facts)).toEqual({
      kind: 'busy',
      reason: `deployment 1-200 is in phase applied, and ${reason}`,
      ...(owner?.kind === 'alive' ? {} : { isUnknown: true }),
    });
  });
});

describe('a status that differs from the record', () => {
  test.each([
    [
      'applied',
      purpleActive,
      'deployment_status names purple as active, but the record expects pink',
    ],
    [
      'promoted',
      pinkActive,
      'deployment_status names pink as active, but the record expects purple',
    ],
    ['done', absent, 'deployment_status does not exist, but the record expects purple'],
    ['promoting', absent, 'deployment_status does not exist, but the record expects pink'],
  ] as const)('counts as a contradiction at %s', (phase, status, reason) => {
    expect(direction({ record: recordAt({ phase }), status, owner: over })).toMatchObject({
      kind: 'contradiction',
      reason,
    });
  });

  test.each([pinkActive, purpleActive])('may have either value during the switch', (status) => {
    const record = recordAt({ phase: 'promoting' });
    expect(direction({ record, status, owner: over }).kind).toBe('adopt');
  });
});
