import { expect, test } from '@jest/globals';
import { type RecoveryFacts, refuseRung } from '../../../src/domain/deployment/recovery-methods.ts';
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
  expect(refuseRung({ ...facts, record })).toBe('purple is the active shard');
  expect(refuseRung({ ...facts, record, although: true })).toBe('purple is the active shard');
});
