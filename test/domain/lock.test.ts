import { describe, expect, test } from '@jest/globals';
import { judgeLock, type LockFacts } from '../../src/domain/lock.ts';

const lock = {
  deployment: '1-200',
  job: '7001',
  since: '2026-11-02T08:00:00.000Z',
  process: 'host/1/2',
  nonce: 'n1',
};
const who = 'job 7001 of deployment 1-200, since 2026-11-02T08:00:00.000Z';
const over = { kind: 'over', reason: 'no job of its pipeline runs' } as const;
const alive = { kind: 'alive', reason: 'job 7002 runs' } as const;
const unknown = { kind: 'unknown', reason: 'HTTP 500' } as const;

describe('a lock is', () => {
  test.each<[string, Partial<LockFacts>, string, string]>([
    [
      'stale when its process on this machine has ended',
      { process: 'dead' },
      'stale',
      `${who}: its process on this machine has ended`,
    ],
    [
      'stale when the CI says that its job is over',
      { holder: over },
      'stale',
      `${who}: no job of its pipeline runs`,
    ],
    [
      'stale when a person says so',
      { byHand: true, holder: unknown },
      'stale',
      `${who}: taken over by hand`,
    ],
    [
      'stale for the very same job',
      { run: { deploymentId: '1-200', jobId: '7001' } },
      'stale',
      `${who}: that is this very job`,
    ],
    [
      'held while another job of its pipeline runs',
      { holder: alive },
      'held',
      `${who}: job 7002 runs`,
    ],
    ['held while the CI does not answer', { holder: unknown }, 'held', `${who}: HTTP 500`],
    ['held where there is no CI to ask', {}, 'held', `${who}: there is no CI to ask`],
    [
      'held by a process that lives, whatever a person or the CI says',
      { process: 'alive', byHand: true, holder: over },
      'held',
      `${who}: its process runs on this machine`,
    ],
    [
      'held against another job of the same pipeline',
      { run: { deploymentId: '1-200', jobId: '7002' } },
      'held',
      `${who}: there is no CI to ask`,
    ],
  ])('%s', (...[, facts, kind, reason]) => {
    const given = { lock, run: { deploymentId: '1-300', jobId: '8001' }, byHand: false } as const;
    expect(judgeLock({ ...given, process: 'unknown', ...facts })).toEqual({ kind, reason });
  });
});
