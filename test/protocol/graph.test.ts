import { afterAll, describe, expect, test } from '@jest/globals';
import { cells } from '../../model/cells.ts';
import { effectsOf } from '../../model/protocol/effects.ts';
import { type Edge, exploreProtocol, runs } from '../../model/protocol/graph.ts';
import {
  beginning,
  keyOf,
  type ProtocolState,
  type Role,
  serves,
} from '../../model/protocol/state.ts';
import {
  allPhases,
  type StageName,
  type StepName,
  stages,
  steps,
} from '../../src/domain/deployment/stages-and-steps.ts';

const graph = exploreProtocol();
const { states, edges } = graph;
const own = edges.filter(({ by }) => by !== 'customers');
const shown = (list: readonly (Edge | ProtocolState)[]) => list.slice(0, 3);

afterAll(() => {
  process.stdout.write(`${states.length} states, ${edges.length} transitions\n`);
});

test('every phase is reached', () => {
  expect(new Set(states.map(({ phase }) => phase))).toEqual(new Set(['none', ...allPhases]));
});

test('S1: in every state a shard serves', () => {
  const unserved = states.filter(
    ({ candidate, retiring }) => !serves(candidate) && !serves(retiring),
  );
  expect(shown(unserved)).toEqual([]);
});

test('S1: the shard that the status names serves, but while the status is being followed', () => {
  const wrong = states.filter((state) => !serves(state[state.status]));
  // A rollback begins before the intake of the shard that it goes back to is open again.
  expect(shown(wrong)).toEqual([]);
});

test('S2: nothing that has a job is ended, deregistered or destroyed', () => {
  const ends = (from: ProtocolState, to: ProtocolState, role: Role) =>
    from[role].jobs === 'some' &&
    (to[role].process !== from[role].process ||
      to[role].built !== from[role].built ||
      (to[role].tags === 'none' && from[role].tags !== 'none'));
  const wrong = own.filter(({ from, to, by }) => {
    if (by === 'rollback' || by === 'new pipeline') return false;
    return ends(from, to, 'candidate') || ends(from, to, 'retiring');
  });
  expect(shown(wrong)).toEqual([]);
});

test('S2: a deployment that begins forgets no shard with a job', () => {
  const begun = own.filter(({ by, from }) => by === 'new pipeline' && from.phase === 'done');
  expect(begun.length).toBeGreaterThan(0);
  expect(shown(begun.filter(({ from }) => from.retiring.jobs === 'some'))).toEqual([]);
});

test('S5: one deployment switches the status once, and only to its candidate', () => {
  const switches = own.filter(({ stride }) => stride?.effect.kind === 'switch');
  expect(switches.length).toBeGreaterThan(0);
  expect(shown(switches.filter(({ from }) => from.switched))).toEqual([]);
  expect(shown(switches.filter(({ from }) => from.status === 'candidate'))).toEqual([]);
});

test('S5: nothing but a new deployment changes which shard is the candidate', () => {
  const turned = own.filter(({ from, to }) => from.status !== to.status);
  const others = turned.filter(({ by, from, stride }) => {
    const begins = by === 'rollback' || (by === 'new pipeline' && from.phase === 'done');
    return !begins && stride?.effect.kind !== 'switch';
  });
  expect(shown(others)).toEqual([]);
});

test('O1: a finished deployment leaves one shard with infrastructure, and it is the active one', () => {
  const done = states.filter(({ phase }) => phase === 'done');
  expect(done.length).toBeGreaterThan(0);
  const wrong = done.filter(
    ({ candidate, retiring, status }) =>
      retiring.built !== 'no' ||
      retiring.tags !== 'none' ||
      status !== 'candidate' ||
      !serves(candidate),
  );
  expect(shown(wrong)).toEqual([]);
});

test('S6: infrastructure touches no candidate that has the production tags', () => {
  const applies = own.filter(
    ({ from, to }) => from.phase === 'applying' && from.candidate.built !== to.candidate.built,
  );
  expect(applies.length).toBeGreaterThan(0);
  expect(shown(applies.filter(({ from }) => from.candidate.tags === 'production'))).toEqual([]);
});

test('L3: from every state the stages of one pipeline lead to done, without an edit by hand', () => {
  const ways = edges.filter(({ by }) => by !== 'rollback' && by !== 'new pipeline');
  const back = new Map<string, string[]>();
  for (const { from, to } of ways) {
    const key = keyOf(to);
    back.set(key, [...(back.get(key) ?? []), keyOf(from)]);
  }
  const reached = new Set(states.filter(({ phase }) => phase === 'done').map(keyOf));
  for (const key of reached) for (const before of back.get(key) ?? []) reached.add(before);
  expect(shown(states.filter((state) => !reached.has(keyOf(state))))).toEqual([]);
});

describe('the model is the code’s own', () => {
  test('each step writes the phases of the table', () => {
    const told = steps
      .filter(({ name }) => name !== 'prepare')
      .map(({ name }) => [name, writesOf(name)]);
    const table = steps
      .filter(({ name }) => name !== 'prepare')
      .map(({ name, writes }) => [name, [...writes]]);
    expect(told).toEqual(table);
  });

  test('each step touches the shard of the table', () => {
    for (const { name, touches } of steps) {
      if (name === 'prepare') continue;
      const roles = effectsOf(name, fresh(name)).flatMap((effect) =>
        effect.kind === 'shard' ? [effect.role] : effect.kind === 'switch' ? ['candidate'] : [],
      );
      expect(new Set(roles)).toEqual(
        new Set(touches === 'nothing' ? [] : roles.length > 0 ? [touches] : []),
      );
    }
  });

  const names = Object.keys(stages).filter((stage) => stage !== 'prepare') as StageName[];
  test.each(names)('%s ends as its cells say, from every state', (stage) => {
    const outcomes = cells[`stage: ${stage}`];
    const wrong = states.flatMap((state) => {
      const place =
        state.phase === 'draining' && state.retiring.jobs === 'none'
          ? 'draining, idle'
          : state.phase;
      const outcome = outcomes[place];
      // The cell of a drain with jobs lets them end; a removal may be refused for want of proof.
      if (
        outcome.ends === 'CleanupRefused' ||
        state.retiring.jobs === 'some' ||
        state.candidate.jobs === 'some'
      )
        return [];
      const ends = runs(state, stage).map(({ to, how }) => `${how} ${to.phase}`);
      const wanted = `${outcome.ends === 'done' ? 'done' : outcome.ends === 'nothing' ? 'nothing' : 'out of order'} ${outcome.phase}`;
      return ends.includes(wanted)
        ? []
        : [`${JSON.stringify(state)}: ${wanted}, not ${ends.join(' or ')}`];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

/** A state in which the step has everything still to do. */
function fresh(step: string): ProtocolState {
  return step === 'onboard'
    ? { ...beginning, phase: 'prepared' }
    : { ...beginning, phase: 'onboarded' };
}

function writesOf(step: StepName): string[] {
  return effectsOf(step, fresh(step)).flatMap((effect) =>
    effect.kind === 'write' ? [effect.phase] : [],
  );
}
