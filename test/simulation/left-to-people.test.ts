import { expect, test } from '@jest/globals';
import { DeployError } from '../../src/errors/deploy-error.ts';
import type { Variant } from './beginnings/variants.ts';
import type { Going } from './going-on.ts';
import { judgeRerun } from './verdict.ts';

const inconclusive = new DeployError({
  code: 'HealthInconclusive',
  exitCode: 1,
  what: 'Whether purple is healthy could not be found out within 15m.',
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
  ['customers’ jobs are the proof and their machine hangs', 'observe', true, 0],
  ['customers’ jobs are the proof and nothing is wrong', 'observe', false, 1],
  ['a machine hangs of which everything else can tell', undefined, true, 1],
  ['a machine never speaks to GitLab', 'mute', false, 1],
] as const)(
  'a run may not know whether a shard is healthy only where that is so: %s',
  (...[, variant, struck, violations]) => {
    const ending = { kind: 'error', error: inconclusive, log: [] } as never;
    expect(judgeRerun(going(variant, struck), { ending, faulty: false })).toHaveLength(violations);
  },
);
