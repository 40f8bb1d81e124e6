import { expect, test } from '@jest/globals';
import {
  judgeMethods,
  type RecoveryFacts,
} from '../../../src/domain/deployment/recovery-methods.ts';
import { allowed } from '../../operator/recover/allowed-recovery.ts';
import { jobOf, pink, purple, recordAt } from '../samples.ts';

/** Pink drains, nobody says whether a job runs there, and a person has named its machine. */
const facts: RecoveryFacts = {
  ...allowed,
  record: recordAt({ phase: 'draining' }),
  shard: pink,
  active: purple,
  tags: [],
  hiddenJob: 'unknown',
  isMachineNamed: true,
  lastJobs: 'unknown',
};

const takes = (change: Partial<RecoveryFacts>) =>
  judgeMethods({ ...facts, ...change }, 'person')
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
