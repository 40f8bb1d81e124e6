import { describe, expect, test } from '@jest/globals';
import type { WorldHistory } from '../../src/verify/history.ts';
import { type Invariant, invariants } from '../../src/verify/judge.ts';
import { verifyEventFile } from '../../src/verify/verify.ts';
import { bakeCases } from './cases-bake.ts';
import { endingCases } from './cases-endings.ts';
import { githubCases } from './cases-github.ts';
import { type Case, safetyCases } from './cases-safety.ts';
import { worldCases } from './cases-world.ts';
import { effect, file, head, jobs, record, run, runner, status } from './lines.ts';

const logCases = { ...safetyCases, ...endingCases };

function outcomeOf(text: string, invariant: Invariant, world?: WorldHistory) {
  return verifyEventFile(text, world).findings.find((one) => one.invariant === invariant);
}

describe('the verification by the log alone', () => {
  describe.each(Object.entries(logCases) as [Invariant, Case][])('%s', (invariant, one) => {
    test(`accepts a log in order`, () => {
      expect(outcomeOf(one.good, invariant)).toMatchObject({ outcome: 'held', reasons: [] });
    });

    test(`${one.name}: caught`, () => {
      expect(outcomeOf(one.bad, invariant)).toMatchObject({ outcome: 'violated' });
    });
  });
});

describe('the verification of runners that register individually', () => {
  describe.each(githubCases)('$invariant', ({ invariant, name, good, bad }) => {
    test('accepts a log in order', () => {
      expect(outcomeOf(good, invariant)).toMatchObject({ outcome: 'held', reasons: [] });
    });

    test(`${name}: caught`, () => {
      expect(outcomeOf(bad, invariant)).toMatchObject({ outcome: 'violated' });
    });
  });

  test('a new registration token affects no runner that has a job', () => {
    const renewed = (runners: string) => {
      const stack = { ...(head()['stack'] as object), runners };
      const job = [record('done'), status('pink'), runner('2'), jobs('2', { id: '9' })];
      const reset = effect('registry.resetToken', ['2'], { token: 'redacted' });
      return file(run('a', head({ command: 'renew', stack }), ...job, ...reset));
    };
    expect(outcomeOf(renewed('github'), 'S2')).toMatchObject({ outcome: 'not decidable' });
    expect(outcomeOf(renewed('gitlab'), 'S2')).toMatchObject({ outcome: 'violated' });
  });
});

describe('the verification of a command at a terminal that resumes a deployment', () => {
  const typed = (id: string, resumes: string | undefined) => {
    const error = { code: 'Bug', why: [], fix: ['x'], now: 'pink' };
    return run(
      id,
      head({ ci: 'terminal', deployment: `terminal-${id}` }),
      ...(resumes === undefined ? [] : [{ kind: 'resumed', deployment: resumes }]),
      { kind: 'end', outcome: 'error', exit_code: 1, error },
    );
  };

  test('counts two runs that resume the same deployment as one stage that is run again', () => {
    const both = file(typed('a', 'terminal-1'), typed('b', 'terminal-1'));
    expect(outcomeOf(both, 'L1')).toMatchObject({ outcome: 'violated' });
  });

  test('counts two runs of separate deployments separately', () => {
    const apart = file(typed('a', undefined), typed('b', undefined));
    expect(outcomeOf(apart, 'L1')).not.toMatchObject({ outcome: 'violated' });
  });
});

describe('the verification of a bake', () => {
  describe.each(bakeCases)('$invariant', ({ invariant, name, good, bad }) => {
    test(`accepts what is in order beside: ${name}`, () => {
      expect(outcomeOf(good, invariant)).toMatchObject({ outcome: 'held', reasons: [] });
    });

    test(`${name}: caught`, () => {
      expect(outcomeOf(bad, invariant)).toMatchObject({ outcome: 'violated' });
    });
  });
});

describe('the verification by the history of the world', () => {
  const text = file(run('a', head()));
  describe.each(worldCases)('$invariant', ({ invariant, name, good, bad }) => {
    test('accepts a history in order', () => {
      expect(outcomeOf(text, invariant, good)).toMatchObject({ outcome: 'held', reasons: [] });
    });

    test(`${name}: caught`, () => {
      expect(outcomeOf(text, invariant, bad)).toMatchObject({ outcome: 'violated' });
    });
  });
});

test('every invariant has a log or a history that breaks it', () => {
  const named = [...worldCases, ...bakeCases].map((one) => one.invariant);
  const known = new Set<string>([...Object.keys(logCases), ...named]);
  expect(Object.keys(invariants).filter((one) => !known.has(one))).toEqual([]);
});

test('facts that the file lacks are not decided', () => {
  const { findings } = verifyEventFile(file(run('a', head())));
  const decided = findings.filter(({ outcome }) => outcome !== 'not decidable');
  expect(decided.map(({ invariant }) => invariant)).toEqual(['S12']);
});

test('a missing or broken line is reported', () => {
  const [one = '', , three = ''] = run('a', head(), { kind: 'x' }, { kind: 'y' });
  expect(verifyEventFile(`${one}\n${three}\nnot JSON\n`).damage).toEqual([
    'line 2: a line of run a is missing before it',
    'line 3 is not a line of evidence',
  ]);
});
