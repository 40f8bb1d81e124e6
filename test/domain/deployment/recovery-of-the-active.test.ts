import { expect, test } from '@jest/globals';
import {
  type RecoveryFacts,
  refuseMethod,
} from '../../../src/domain/deployment/recovery-methods.ts';
import { allPhases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { allowed } from '../../operator/recover/allowed-recovery.ts';
import { purple, recordAt } from '../samples.ts';

const facts: RecoveryFacts = {
  ...allowed,
  shard: purple,
  active: purple,
  contacted: false,
  tags: [],
  machines: [],
  lastJobs: 'unknown',
};

test.each(allPhases)('recover takes nothing away from the active shard in %s', (phase) => {
  const record = recordAt({ phase });
  expect(refuseMethod({ ...facts, record })).toBe('purple is the active shard');
  expect(refuseMethod({ ...facts, record, forceWhenNothingServes: true })).toBe(
    'purple is the active shard',
  );
});
