import { expect, test } from '@jest/globals';
import { gitlabWords } from '../../../src/adapters/gitlab/words.ts';
import { type RecoveryFacts, refuseRung } from '../../../src/domain/deployment/recovery.ts';
import { allPhases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { purple, recordAt } from '../samples.ts';

const facts: Omit<RecoveryFacts, 'record'> = {
  words: gitlabWords,
  shard: purple,
  active: purple,
  quarantined: true,
  contacted: false,
  jobs: [],
  tags: [],
  hiddenJob: 'no',
  hostJobs: 0,
  machines: [],
  managers: 1,
  registrationGone: false,
  tokenLost: false,
  somethingHappened: undefined,
  lastingCause: undefined,
  knowsAddresses: true,
  although: false,
  lastJobs: 'unknown',
};

test.each(allPhases)('recover takes nothing away from the active shard in %s', (phase) => {
  const record = recordAt({ phase });
  expect(refuseRung({ ...facts, record })).toBe('purple is the active shard');
  expect(refuseRung({ ...facts, record, although: true })).toBe('purple is the active shard');
});
