import { describe, expect, test } from '@jest/globals';
import {
  begunIn,
  gapMs,
  overlapMs,
  shardsOf,
  spansOf,
  switchesOf,
} from '../../../sandbox/demo/count/history.ts';
import {
  describeStanding,
  judgeShard,
  type ShardSight,
} from '../../../sandbox/demo/stack-reading.ts';
import { checkAt } from './stories.ts';

const registered = { paused: false, hasProductionTag: false, contacted: false };

describe('the state of a shard in the demo', () => {
  test.each<[string, ShardSight, string]>([
    ['gone: neither runner nor resources', { isActive: false, parts: 0 }, 'gone'],
    ['being destroyed: resources without a runner', { isActive: false, parts: 3 }, 'destroying'],
    [
      'being built: no contact yet',
      { isActive: false, parts: 3, registration: registered },
      'building',
    ],
    [
      'in quarantine: contact, no production tag',
      { isActive: false, parts: 3, registration: { ...registered, contacted: true } },
      'quarantine',
    ],
    [
      'accepting jobs: production tag, not named by the status',
      { isActive: false, parts: 3, registration: { ...registered, hasProductionTag: true } },
      'serving',
    ],
    [
      'active: production tag, named by the status',
      { isActive: true, parts: 3, registration: { ...registered, hasProductionTag: true } },
      'active',
    ],
    [
      'draining: paused, whatever the status',
      {
        isActive: true,
        parts: 3,
        registration: { ...registered, hasProductionTag: true, paused: true },
      },
      'draining',
    ],
  ])('follows from GitLab and AWS: %s', (_, sight, state) => {
    expect(judgeShard(sight)).toBe(state);
  });
});

describe('the description of the shards in the demo', () => {
  test.each([
    [
      checkAt(0, { pink: 'active', purple: 'building' }),
      'pink is active and accepts jobs; purple is being built',
    ],
    [
      checkAt(0, { pink: 'serving', purple: 'active' }),
      'pink is not active but accepts jobs; purple is active and accepts jobs',
    ],
    [
      checkAt(0, { pink: 'draining', purple: 'active' }, { taking: [] }),
      'pink accepts no new jobs; purple is active but accepts no jobs',
    ],
    [
      checkAt(0, { pink: 'destroying', purple: 'quarantine' }),
      'pink is being destroyed; purple is in quarantine',
    ],
  ])('matches %j', (seen, expected) => {
    expect(describeStanding(seen)).toBe(expected);
  });
});

describe('the deployment that started within a scenario', () => {
  const record = (id: string, candidate: string) => ({ record: { id, candidate, phase: 'done' } });
  const scenario = { from: 10, to: 40 };
  const before = checkAt(10, {}, record('a', 'purple'));
  const begun = checkAt(20, {}, record('b', 'pink'));

  test('precedes its own rollback', () => {
    const seen = [before, begun, checkAt(30, {}, record('b-rollback', 'purple'))];
    expect(begunIn(seen, scenario)).toEqual(begun.record);
  });

  test('does not exist if the record names the earlier deployment', () => {
    expect(begunIn([before, checkAt(20, {}, record('a', 'purple'))], scenario)).toBeUndefined();
  });

  test('does not exist if the deployment started after the scenario', () => {
    expect(begunIn([before, checkAt(50, {}, record('b', 'pink'))], scenario)).toBeUndefined();
  });
});

const checks = [
  checkAt(0, {}),
  checkAt(10, { pink: 'building' }),
  checkAt(20, { pink: 'building' }),
  checkAt(30, { pink: 'active' }),
  checkAt(40, { pink: 'active', purple: 'serving' }),
  checkAt(60, { pink: 'serving', purple: 'active' }),
  checkAt(65, { pink: 'draining', purple: 'active' }),
  checkAt(80, { pink: 'gone', purple: 'active' }),
  checkAt(100, { pink: 'building', purple: 'active' }),
  checkAt(110, { pink: 'building', purple: 'active' }),
];

test('shards have the order of their first appearance', () => {
  expect(shardsOf(checks)).toEqual(['pink', 'purple']);
});

test('an observation lasts until the next one, and a gap separates two lives', () => {
  expect(spansOf(checks, 'pink').map(({ state, from, to }) => [state, from, to])).toEqual([
    ['building', 10, 30],
    ['active', 30, 60],
    ['serving', 60, 65],
    ['draining', 65, 80],
    ['building', 100, 110],
  ]);
});

test('a switch is a status that names another shard', () => {
  expect(switchesOf(checks)).toEqual([
    { at: 30, from: undefined, to: 'pink' },
    { at: 60, from: 'pink', to: 'purple' },
  ]);
});

test('the overlap is the time within the deployment in which both shards accepted jobs', () => {
  expect(overlapMs(checks, { from: 0, to: 110 })).toBe(25);
  expect(overlapMs(checks, { from: 50, to: 62 })).toBe(12);
});

test('the time before the first shard accepts jobs is no gap', () => {
  expect(gapMs(checks)).toBe(0);
});

test('a time without a shard that accepts jobs is a gap', () => {
  expect(
    gapMs([
      checkAt(0, { pink: 'active' }),
      checkAt(10, { pink: 'draining' }),
      checkAt(17, { pink: 'active' }),
    ]),
  ).toBe(7);
});

test('the time after a scenario ended the only machine is no gap', () => {
  const watched = [
    checkAt(0, { pink: 'active' }),
    checkAt(10, { pink: 'draining' }),
    checkAt(17, { pink: 'active' }),
    checkAt(30, { pink: 'draining' }),
    checkAt(31, { pink: 'active' }),
  ];
  expect(gapMs(watched, [{ from: 10, to: 17 }])).toBe(1);
});
