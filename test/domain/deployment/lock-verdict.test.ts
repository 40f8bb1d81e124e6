import { describe, expect, test } from '@jest/globals';
import { describeOwner } from '../../../src/domain/deployment/lock/lock-owner.ts';
import { judgeLock, type LockFacts } from '../../../src/domain/deployment/lock/lock-verdict.ts';

const owner = {
  deployment: '1-200',
  job: '7001',
  since: '2026-11-02T08:00:00.000Z',
  process: 'host/1/2',
};
const who = 'job 7001 of deployment 1-200 (since 2026-11-02 08:00 UTC)';
const over = { kind: 'over', reason: 'no job of its pipeline runs' } as const;
const alive = { kind: 'alive', reason: 'job 7002 runs' } as const;
const unknown = { kind: 'unknown', reason: 'HTTP 500' } as const;

describe('the verdict on a lock', () => {
  test.each<[string, Partial<LockFacts>, string, string]>([
    [
      'stale if its process on this machine has ended',
      { process: 'dead' },
      'stale',
      `${who}. The holder's process, on this machine, has ended`,
    ],
    [
      'stale if the CI reports that its job has ended',
      { holder: over },
      'stale',
      `${who}. No job of its pipeline runs`,
    ],
    [
      'stale if an operator confirms it',
      { byHand: true, holder: unknown },
      'stale',
      `${who}. An operator declared that the holder has ended`,
    ],
    [
      'alive while the CI reports that its job runs, even if an operator disagrees',
      { byHand: true, holder: alive },
      'alive',
      `${who}. Job 7002 runs`,
    ],
    [
      'stale by the report of the CI if an operator confirms it as well',
      { byHand: true, holder: over },
      'stale',
      `${who}. No job of its pipeline runs`,
    ],
    [
      'stale for the same job',
      { run: { deploymentId: '1-200', jobId: '7001' } },
      'stale',
      `${who}. This is the current job`,
    ],
    [
      'alive while another job of its pipeline runs',
      { holder: alive },
      'alive',
      `${who}. Job 7002 runs`,
    ],
    ['undecided while the CI does not respond', { holder: unknown }, 'unknown', `${who}. HTTP 500`],
    [
      'undecided without a CI to query',
      {},
      'unknown',
      `${who}. No CI can report whether the holder has ended`,
    ],
    [
      'alive while its process lives, whatever an operator or the CI reports',
      { process: 'alive', byHand: true, holder: over },
      'alive',
      `${who}. The holder's process is running on this machine`,
    ],
    [
      'undecided for another job of the same pipeline',
      { run: { deploymentId: '1-200', jobId: '7002' } },
      'unknown',
      `${who}. No CI can report whether the holder has ended`,
    ],
  ])('counts as %s', (...[, facts, kind, reason]) => {
    const given = { owner, run: { deploymentId: '1-300', jobId: '8001' }, byHand: false } as const;
    expect(judgeLock({ ...given, process: 'unknown', ...facts })).toEqual({ kind, reason });
  });
});

describe('the text about the owner of a lock', () => {
  test.each([
    [
      { by: 'anna', host: 'build-7', stage: 'shutdown', pipeline: 'https://ci/pipelines/200' },
      'anna on build-7 (shutdown in job 7001 of https://ci/pipelines/200, since 2026-11-02 08:00 UTC)',
    ],
    [
      { by: 'anna@laptop', host: 'laptop', stage: 'shutdown', job: 'host/1/2' },
      'anna@laptop (shutdown at a terminal, since 2026-11-02 08:00 UTC)',
    ],
    [{}, 'job 7001 of deployment 1-200 (since 2026-11-02 08:00 UTC)'],
    [{ since: 'lately' }, 'job 7001 of deployment 1-200 (since lately)'],
  ])('describes %j', (facts, text) => {
    expect(describeOwner({ ...owner, ...facts })).toBe(text);
  });
});
