import { expect, test } from '@jest/globals';
import {
  judgeMethods,
  type RecoveryFacts,
} from '../../../src/domain/deployment/recovery-methods.ts';
import { allowed } from '../../operator/recover/allowed-recovery.ts';

const facts: RecoveryFacts = {
  ...allowed,
  tags: [],
  tokenLost: true,
  // Of a verdict that needs no second one.
  lastJobs: ['failed', 'success'],
};

test('a token that nobody can read any more is taken away with its shard, and nothing else helps', () => {
  const why =
    'the token that a manager of purple uses is lost, and no other machine could start with it';
  expect(judgeMethods(facts, 'person')).toEqual([
    { rung: 'rerun', kind: 'cannot_help', reason: why },
    {
      rung: 'cleanup',
      kind: 'can_help',
      reason: 'the token of purple is lost, and it runs no job',
    },
    { rung: 'replace', kind: 'cannot_help', reason: why },
    { rung: 'terminate', kind: 'cannot_help', reason: why },
  ]);
});

test('it is not taken away under a job', () => {
  const cleanup = judgeMethods({ ...facts, hostJobs: 1 }, 'auto').find(
    ({ rung }) => rung === 'cleanup',
  );
  expect(cleanup).toEqual({
    rung: 'cleanup',
    kind: 'cannot_help',
    reason: 'the host of purple says that it runs 1 job',
  });
});
