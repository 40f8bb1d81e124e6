import { describe, expect, test } from '@jest/globals';
import { describeGoals, holds } from '../support/goals.ts';
import { goalsOf } from './description.ts';
import { simulateDrains } from './simulated-drains.ts';

const drain = { callsAMinute: 0.5, callsAnHour: 3000, refused: 0 };
const many = {
  ...{ stacks: 50, exitCode: 0, output: '', seconds: 300, calls: 4000, refused: 0 },
  ...{ mostAMinute: 900, drainingAMinute: 0.4, memoryMb: 170, lost: 0, left: 0 },
};
const measured = {
  drains: [1, 50, 100].map((stacks) => ({ ...drain, stacks })),
  memoryMb: 120.4,
  idle: { exitCode: 0, output: '', gitlabCalls: 90, parameterCalls: 60 },
  many,
};

describe('the goals of the benchmarks', () => {
  test('hold at the value itself, and not above it', () => {
    expect(goalsOf(measured).filter((goal) => !holds(goal))).toEqual([]);
    const idle = { ...measured.idle, gitlabCalls: 91 };
    const missed = goalsOf({ ...measured, idle }).filter((goal) => !holds(goal));
    expect(missed.map(({ of, measured: value }) => [of, value])).toEqual([
      ['GitLab calls of an idle replacement', 91],
    ]);
    expect(describeGoals(missed)).toMatch(
      /idle replacement │ +90 │ +91 │ ✖ does not hold │ sandbox/,
    );
  });

  test('fail if nothing was measured', () => {
    const { drainingAMinute: _, ...unmeasured } = many;
    const idle = { ...measured.idle, exitCode: 1 };
    const missed = goalsOf({ drains: [], memoryMb: Number.NaN, idle, many: unmeasured });
    expect(missed.map(holds)).toEqual(missed.map(() => false));
  });
});

describe('drains whose jobs continue, in one process', () => {
  test.each([
    ['one drain makes at most two GitLab calls a minute', 1, 2],
    ['fifty drains make at most one call a minute each', 50, 1],
  ])('stay within the limit: %s', async (_, stacks, most) => {
    const { callsAMinute, refused } = await simulateDrains(stacks, 10);
    // Without any call, the drain would not notice an operator's unpause.
    expect(callsAMinute).toBeGreaterThan(0);
    expect(callsAMinute).toBeLessThanOrEqual(most);
    expect(refused).toBe(0);
  });
});
