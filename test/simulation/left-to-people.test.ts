import { expect, test } from '@jest/globals';
import { DeployError } from '../../src/errors/deploy-error.ts';
import type { Variant } from './beginnings/variants.ts';
import type { Going } from './continuation.ts';
import { judgeRerun } from './verdict.ts';

const inconclusive = new DeployError({
  code: 'HealthInconclusive',
  exitCode: 1,
  what: 'The health of purple could not be determined within 15m.',
  why: ['Nobody said.'],
  fix: [],
});

function going(variant: Variant | undefined, struck: boolean): Going {
  const beginning = { place: 'healthy', active: 'pink', record: 'fresh' } as const;
  return {
    beginning: { ...beginning, ...(variant === undefined ? {} : { variant }) },
    run: 1,
    struck,
  };
}

test.each([
  ['customer jobs are the proof, and their machine hangs', 'observe', true, 0],
  ['customer jobs are the proof, and nothing is wrong', 'observe', false, 1],
  ['a machine hangs that every other source reports', undefined, true, 1],
  ['a machine never contacts GitLab', 'mute', false, 1],
] as const)(
  'a run may report an inconclusive health only if that is true: %s',
  (...[, variant, struck, violations]) => {
    const ending = { kind: 'error', error: inconclusive, log: [] } as never;
    expect(judgeRerun(going(variant, struck), { ending, faulty: false })).toHaveLength(violations);
  },
);
