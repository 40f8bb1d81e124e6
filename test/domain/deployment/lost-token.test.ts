import { expect, test } from '@jest/globals';
import { gitlabWords } from '../../../src/adapters/gitlab/words.ts';
import type { DeploymentRecord } from '../../../src/domain/deployment/record.ts';
import { judgeRungs, type RecoveryFacts } from '../../../src/domain/deployment/recovery.ts';
import { pink, purple } from '../samples.ts';

const facts = {
  words: gitlabWords,
  record: {
    deployment: { id: '1-200', phase: 'applied' },
    shards: { purple: { tokenWritten: true, unhealthyInARow: 2, productionTag: false } },
  } as unknown as DeploymentRecord,
  shard: purple,
  active: pink,
  quarantined: true,
  contacted: true,
  jobs: [],
  tags: [],
  hiddenJob: 'no',
  hostJobs: 0,
  machines: ['i-0abc0000000000002'],
  managers: 1,
  registrationGone: false,
  tokenLost: true,
  somethingHappened: undefined,
  lastingCause: undefined,
  knowsAddresses: true,
  although: false,
  // Of a verdict that needs no second one.
  lastJobs: ['failed', 'success'],
} as const satisfies RecoveryFacts;

test('a token that nobody can read any more is taken away with its shard, and nothing else helps', () => {
  const why =
    'the token that a manager of purple uses is lost, and no other machine could start with it';
  expect(judgeRungs(facts, 'person')).toEqual([
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
  const cleanup = judgeRungs({ ...facts, hostJobs: 1 }, 'auto').find(
    ({ rung }) => rung === 'cleanup',
  );
  expect(cleanup).toEqual({
    rung: 'cleanup',
    kind: 'cannot_help',
    reason: 'the host of purple says that it runs 1 job',
  });
});
