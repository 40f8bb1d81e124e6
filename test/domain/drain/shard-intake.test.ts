import { describe, expect, test } from '@jest/globals';
import type { Intake } from '../../../src/domain/deployment/record.ts';
import {
  type IntakeEvent,
  type IntakeKey,
  inheritIntake,
  inheritLatePause,
  isPausedByOperator,
  isPausedByUs,
  nextIntake,
  pausedSince,
  shardIntake,
  withIntake,
} from '../../../src/domain/drain/shard-intake.ts';
import { reportDeployment } from '../../../src/operator/deployment-report.ts';
import { pink, purple, recordAt } from '../samples.ts';

const before = '2026-11-02T08:15:00.000Z';
const at = '2026-11-02T09:15:00.000Z';

const states = {
  accepting: 'accepting',
  'pausing us': 'pausing by deployment',
  'pausing op': 'pausing by operator',
  'pausing ?': 'pausing by unknown',
  'paused us': 'paused by deployment',
  'paused op': 'paused by operator',
  'paused ?': 'paused by unknown',
} as const satisfies Record<string, IntakeKey>;

function intakeAt(name: string, since = before): Intake {
  const [state, by] = states[name as keyof typeof states].split(' by ');
  return { state, by: by ?? 'deployment', since } as Intake;
}

/** Each row is an event, with the next state for each state of the header. `=` keeps the time. */
const table = `
event             | accepting  | pausing us   | pausing op  | pausing ?   | paused us    | paused op    | paused ?
drain_begins      | pausing us | pausing us   | pausing us  | pausing ?   | pausing us   | pausing us   | pausing ?
drain_finds_pause | pausing op | pausing us   | pausing op  | pausing ?   | pausing us   | pausing op   | pausing ?
claim             | = accepting | = pausing us | = pausing us | = pausing ? | = paused us | = paused us  | = paused ?
unanswered_pause  | pausing ?  | = pausing ?  | = pausing op | = pausing ? | = paused ?  | = paused op  | = paused ?
confirmed_pause   | paused us  | paused us    | paused op   | paused ?    | = paused us  | = paused op  | = paused ?
reopening         | pausing us | = pausing us | = pausing op | = pausing ? | = pausing us | = paused op | = pausing ?
reopened          | = accepting | accepting   | accepting   | = pausing ? | accepting    | accepting    | pausing ?
operator_pause    | paused op  | paused op    | paused op   | = pausing ? | paused op    | = paused op  | = paused ?
`;

const [[, ...header] = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const transitions = rows.flatMap(([event = '', ...cells]) =>
  cells.map((next, index) => [event as IntakeEvent, header[index] ?? '', next] as const),
);

describe('the intake of a shard', () => {
  test.each(transitions)('changes at the event %s from %s to %s', (event, from, next) => {
    const expected = next.startsWith('= ') ? intakeAt(next.slice(2)) : intakeAt(next, at);
    expect(nextIntake(intakeAt(from), event, at)).toEqual(expected);
  });

  test('starts as accepting and records only events that change it', () => {
    const record = recordAt();
    expect(shardIntake(record, pink)).toMatchObject({ state: 'accepting' });
    expect(withIntake(record, pink, 'reopened', at)).toBe(record);
    expect(withIntake(record, pink, 'confirmed_pause', at).shards['pink']).toMatchObject({
      intake: intakeAt('paused us', at),
    });
  });

  test.each(Object.keys(states))(
    'belongs to the operator, to hosted-runner or to neither if it is %s',
    (name) => {
      const record = recordAt({}, { pink: { intake: intakeAt(name) } });
      const owner = isPausedByOperator(record, pink)
        ? 'op'
        : isPausedByUs(record, pink)
          ? 'us'
          : '';
      expect(owner).toBe(name === 'accepting' ? '' : name.endsWith('op') ? 'op' : 'us');
    },
  );

  test('counts as paused from its confirmation on while a drain runs', () => {
    const since = (phase: 'draining' | 'promoted', name: string) =>
      pausedSince(recordAt({ phase }, { pink: { intake: intakeAt(name) } }));
    expect(since('draining', 'pausing us')).toBeUndefined();
    expect(since('draining', 'paused us')).toBe(before);
    expect(since('promoted', 'pausing ?')).toBe(before);
    expect(since('promoted', 'accepting')).toBeUndefined();
  });
});

test.each<[string, object]>([
  ['accepting', {}],
  ['paused us', { closedAt: before }],
  ['paused op', { closedAt: before, closedByOther: true }],
  ['paused ?', { closedAt: before, pauseUnansweredAt: before }],
  ['pausing us', {}],
  ['pausing ?', { pauseUnansweredAt: before }],
])('status reports a retiring shard that is %s under unchanged keys', (name, keys) => {
  const record = recordAt({ phase: 'draining' }, { pink: { intake: intakeAt(name) } });
  expect(reportDeployment(record)).toEqual({ ...record.deployment, ...keys });
});

describe('the next deployment', () => {
  const of = (phase: 'draining' | 'drained' | 'retreating' | 'done', name?: string, shard = pink) =>
    recordAt(
      { phase, phaseAt: before },
      name === undefined ? {} : { [shard]: { intake: intakeAt(name) } },
    );

  test.each([
    ['drained', 'paused us', 'paused us'],
    ['drained', 'paused op', 'paused op'],
    ['drained', 'accepting', undefined],
    ['draining', 'pausing us', 'pausing ?'],
    ['draining', 'pausing op', 'pausing op'],
    ['done', 'paused us', undefined],
  ] as const)('inherits from %s with a retiring shard that is %s: %s', (phase, name, inherited) => {
    const expected = inherited === undefined ? {} : { intake: intakeAt(inherited) };
    expect(inheritIntake(of(phase, name), pink)).toEqual(expected);
  });

  test.each([
    [undefined, 'pausing us'],
    ['accepting', 'pausing us'],
    ['paused op', 'paused op'],
    ['pausing ?', 'pausing ?'],
  ])(
    'inherits the unrecorded pause of a retreat with a candidate that is %s: %s',
    (name, inherited) => {
      const record = of('retreating', name, purple);
      expect(inheritIntake(record, purple)).toEqual({ intake: intakeAt(inherited) });
    },
  );

  test('inherits for a candidate only that a pause may still take effect', () => {
    const late = { intake: intakeAt('pausing ?') };
    expect(inheritLatePause(of('drained', 'paused ?'), pink)).toEqual(late);
    expect(inheritLatePause(of('draining', 'pausing us'), pink)).toEqual(late);
    expect(inheritLatePause(of('drained', 'pausing ?', purple), purple)).toEqual(late);
    expect(inheritLatePause(of('drained', 'paused us'), pink)).toEqual({});
    expect(inheritLatePause(undefined, pink)).toEqual({});
  });
});
