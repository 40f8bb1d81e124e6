import { describe, expect, test } from '@jest/globals';
import { chooseDirection, type DirectionFacts } from '../../../src/domain/deployment/direction.ts';
import type { OwnerState } from '../../../src/domain/deployment/lock/pipeline-state.ts';
import { allPhases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { phasesFrom, pink, purple, recordAt } from '../samples.ts';

const pinkActive = { kind: 'known', active: pink, inactive: purple } as const;
const purpleActive = { kind: 'known', active: purple, inactive: pink } as const;
const absent = { kind: 'absent' } as const;
const over: OwnerState = { kind: 'over', reason: 'its pipeline is finished' };

/** A pipeline of nine o'clock at a stack without a record that pink serves. */
function direction(changes: Partial<DirectionFacts> = {}) {
  return chooseDirection({
    shards: [pink, purple],
    run: { deploymentId: '1-300', pipelineCreatedAt: '2026-11-02T09:00:00.000Z' },
    status: pinkActive,
    record: undefined,
    registrations: { pink: 1 },
    serving: [pink],
    ended: [],
    ...changes,
  });
}

const own = { deploymentId: '1-200', pipelineCreatedAt: '2026-11-02T08:00:00.000Z' };

describe('without a record', () => {
  test.each<[string, Partial<DirectionFacts>, object]>([
    [
      'a stack of which nothing exists begins with its first shard',
      { status: absent, registrations: {}, serving: [] },
      {
        kind: 'begin',
        candidate: pink,
        reason: 'first deployment: no status, no record, no registration',
      },
    ],
    [
      'a stack that one shard serves is taken over',
      {},
      {
        kind: 'begin',
        candidate: purple,
        retiring: pink,
        reason: 'pink is active; the stack is taken over as it is',
      },
    ],
    [
      'a registration without a status contradicts',
      { status: absent },
      {
        kind: 'contradiction',
        reason: 'there is no status and no record, but a registration of pink',
      },
    ],
    [
      'an active shard that is not proven to serve contradicts',
      { serving: [] },
      {
        kind: 'contradiction',
        reason: 'there is no record, and pink, active by its status, is not proven to serve',
      },
    ],
    [
      'an active shard that is dead gets another one',
      { serving: [], ended: [pink] },
      {
        kind: 'begin',
        candidate: purple,
        retiring: pink,
        reason: 'pink is active and cannot serve any more; another one takes its place',
      },
    ],
    [
      'an active shard that is dead, beside one with a registration, contradicts',
      { serving: [], ended: [pink], registrations: { pink: 1, purple: 1 } },
      {
        kind: 'contradiction',
        reason: 'there is no record, and the inactive purple has a registration',
      },
    ],
    [
      'an inactive shard with a registration contradicts',
      { registrations: { pink: 1, purple: 1 } },
      {
        kind: 'contradiction',
        reason: 'there is no record, and the inactive purple has a registration',
      },
    ],
    [
      'a status that cannot be read contradicts',
      { status: { kind: 'invalid', reason: 'it is empty' } },
      { kind: 'contradiction', reason: 'deployment_status is invalid: it is empty' },
    ],
  ])('%s', (_, facts, expected) => {
    expect(direction(facts)).toEqual(expected);
  });
});

describe('of its own id', () => {
  test.each(allPhases.filter((phase) => phase !== 'done'))('%s is resumed', (phase) => {
    const record = recordAt({ phase });
    const isSwitched = phasesFrom('promoted').some((later) => later === phase);
    const status = isSwitched ? purpleActive : pinkActive;
    expect(direction({ run: own, record, status })).toEqual({
      kind: 'resume',
      reason: `deployment 1-200 is ${phase}`,
    });
  });

  test('done is finished, whatever the status says', () => {
    const status = { kind: 'invalid', reason: 'it is empty' } as const;
    expect(direction({ run: own, record: recordAt({ phase: 'done' }), status })).toEqual({
      kind: 'finished',
      reason: 'deployment 1-200 is done',
    });
  });

  test('one of the last deployments is finished, though its pipeline is older', () => {
    const run = { deploymentId: '1-100', pipelineCreatedAt: '2026-11-01T08:00:00.000Z' };
    expect(direction({ run, record: recordAt() })).toEqual({
      kind: 'finished',
      reason: 'deployment 1-100 is done',
    });
  });
});

describe('of another id', () => {
  test.each([
    ['older', '2026-11-02T07:59:59.999Z'],
    ['as old', '2026-11-02T08:00:00.000Z'],
    ['older, in another time zone', '2026-11-02T09:30:00.000+02:00'],
  ])('whose pipeline is %s is superseded', (_, pipelineCreatedAt) => {
    const run = { deploymentId: '1-150', pipelineCreatedAt };
    expect(direction({ run, record: recordAt({ phase: 'done' }) })).toMatchObject({
      kind: 'superseded',
    });
  });

  test('a finished deployment is followed by the reverse direction', () => {
    const record = recordAt({ phase: 'done' });
    expect(direction({ record, status: purpleActive })).toEqual({
      kind: 'begin',
      candidate: pink,
      retiring: purple,
      reason: 'purple is active since 2026-11-02',
    });
  });

  test.each([
    ['prepared', 'is taken over with its candidate purple', false],
    ['onboarded', 'is taken over with its candidate purple', false],
    ['applying', 'is taken over with its candidate purple', false],
    ['applied', 'is taken over with its candidate purple', false],
    ['healthy', 'is taken over with its candidate purple', false],
    ['retreating', 'is taken over with its candidate purple', false],
    ['promoting', 'is finished first', true],
    ['promoted', 'is finished first', true],
    ['drained', 'is finished first', true],
    ['destroying', 'is finished first', true],
  ] as const)('a %s deployment whose pipeline is over %s', (phase, what, finishOnly) => {
    const status = finishOnly && phase !== 'promoting' ? purpleActive : pinkActive;
    expect(direction({ record: recordAt({ phase }), status, owner: over })).toEqual({
      kind: 'adopt',
      finishOnly,
      reason: `deployment 1-200 is ${phase}, its pipeline is over (its pipeline is finished); it ${what}`,
    });
  });

  test('a drain is not adopted: prepare does not wait for it', () => {
    const record = recordAt({ phase: 'draining' });
    expect(direction({ record, status: purpleActive, owner: over })).toEqual({
      kind: 'busy',
      reason: 'deployment 1-200 still drains pink',
    });
  });

  test.each<[string, OwnerState | undefined, string]>([
    ['runs', { kind: 'alive', reason: 'its job 7 runs' }, 'its job 7 runs'],
    ['is not known', { kind: 'unknown', reason: 'HTTP 500' }, 'HTTP 500'],
    ['was not asked after', undefined, 'nobody was asked'],
  ])('nothing is adopted while its pipeline %s', (_, owner, reason) => {
    const facts = {
      record: recordAt({ phase: 'applied' }),
      ...(owner === undefined ? {} : { owner }),
    };
    expect(direction(facts)).toEqual({
      kind: 'busy',
      reason: `deployment 1-200 is applied and its pipeline is not proven to be over: ${reason}`,
      ...(owner?.kind === 'alive' ? {} : { isUnknown: true }),
    });
  });
});

describe('a status that tells another story than the record', () => {
  test.each([
    ['applied', purpleActive, 'deployment_status says purple is active, the record expects pink'],
    ['promoted', pinkActive, 'deployment_status says pink is active, the record expects purple'],
    ['done', absent, 'deployment_status says nothing, the record expects purple'],
    ['promoting', absent, 'deployment_status says nothing, the record expects pink'],
  ] as const)('contradicts at %s', (phase, status, reason) => {
    expect(direction({ record: recordAt({ phase }), status, owner: over })).toMatchObject({
      kind: 'contradiction',
      reason,
    });
  });

  test.each([pinkActive, purpleActive])('is either of two while it is switched', (status) => {
    const record = recordAt({ phase: 'promoting' });
    expect(direction({ record, status, owner: over }).kind).toBe('adopt');
  });
});
