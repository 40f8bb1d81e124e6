import { expect, test } from '@jest/globals';
import { gitlabWords } from '../../../src/adapters/gitlab/words.ts';
import { judgeRungs, type RecoveryFacts } from '../../../src/domain/deployment/recovery.ts';
import { jobOf, pink, purple, recordAt } from '../samples.ts';

/** Pink drains, nobody says whether a job runs there, and a person has named its machine. */
const facts: RecoveryFacts = {
  words: gitlabWords,
  record: recordAt({ phase: 'draining' }),
  shard: pink,
  active: purple,
  quarantined: true,
  contacted: true,
  jobs: [],
  tags: [],
  hiddenJob: 'unknown',
  hostJobs: 0,
  machines: ['i-0abc0000000000001'],
  isMachineNamed: true,
  managers: 1,
  registrationGone: false,
  tokenLost: false,
  somethingHappened: undefined,
  lastingCause: undefined,
  knowsAddresses: true,
  although: false,
  lastJobs: 'unknown',
};

const takes = (change: Partial<RecoveryFacts>) =>
  judgeRungs({ ...facts, ...change }, 'person')
    .filter(({ kind, rung }) => kind === 'can_help' && rung !== 'rerun')
    .map(({ rung }) => rung);

test('a machine that is named may be ended while its shard drains, and nothing else may be done', () => {
  expect(takes({})).toEqual(['terminate']);
});

test.each<[string, Partial<RecoveryFacts>]>([
  ['it is not named', { isMachineNamed: false }],
  ['a job runs that the token cannot see', { hiddenJob: 'yes' }],
  ['its host says that a job runs', { hostJobs: 1 }],
  ['a job is listed', { jobs: [jobOf()] }],
  ['the drain has not begun', { record: recordAt({ phase: 'promoted' }) }],
])('it is spared where %s', (_, change) => {
  expect(takes(change)).toEqual([]);
});
