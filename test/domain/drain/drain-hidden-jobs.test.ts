import { describe, expect, test } from '@jest/globals';
import { gone, pollAt, unresponsiveHost, verdictOf } from './drain-observations.ts';

const sight = {
  list: 'whole',
  reason: 'deployer is an administrator',
  execution: 'idle',
  hiddenMs: 1_800_000,
} as const;
const partial = {
  ...sight,
  list: 'unproven',
  reason: 'the token may be unable to see the jobs of every project',
} as const;
const unknown = { kind: 'seen', paused: true, execution: 'unknown' } as const;

describe('a token that may not see every job', () => {
  const unresponsive = { hosts: [unresponsiveHost], sight: partial };

  test.each([
    [35 * 60, 1_800_000],
    [65 * 60, 3_600_000],
  ])(
    'lets GitLab alone confirm for %ss, longer than a canceling job lives',
    (seconds, hiddenMs) => {
      const seen = { ...unresponsive, sight: { ...partial, hiddenMs } };
      expect(verdictOf(pollAt(0, seen), pollAt(seconds - 1, seen))).toEqual({
        kind: 'confirming',
        reason:
          'only GitLab reports that no job is left (i-1: the SSM agent does not respond), and the token may be unable to see the jobs of every project; another check must confirm it',
        forMs: 1000,
        neededMs: seconds * 1000,
      });
      expect(verdictOf(pollAt(0, seen), pollAt(seconds, seen)).kind).toBe('drained');
    },
  );

  test('learns of a hidden job from GraphQL if REST does not report it', () => {
    const seen = {
      ...unresponsive,
      registration: unknown,
      sight: { ...partial, execution: 'active' as const },
    };
    expect(verdictOf(pollAt(0, seen))).toMatchObject({
      kind: 'busy',
      reason: 'GitLab reports that the runner runs a job that this token cannot see',
    });
  });

  test('proves nothing if no source reports whether jobs run and no host responds', () => {
    const seen = {
      ...unresponsive,
      registration: unknown,
      sight: { ...partial, execution: 'unknown' as const },
    };
    expect(verdictOf(pollAt(0, seen), pollAt(179, seen)).kind).toBe('busy');
    expect(verdictOf(pollAt(0, seen), pollAt(180, seen))).toEqual({
      kind: 'blind',
      reason:
        'no host responds, this GitLab does not report whether jobs run, and the token may be unable to see the jobs of every project; i-1: the SSM agent does not respond',
    });
  });

  test('relies on the hosts for the longer period if no source reports whether jobs run', () => {
    const seen = { registration: unknown, sight: { ...partial, execution: 'unknown' as const } };
    expect(verdictOf(pollAt(0, seen), pollAt(179, seen))).toMatchObject({
      kind: 'confirming',
      reason:
        'every host reports no job, and GitLab lists none, but does not report jobs that this token cannot see; another check must confirm it',
    });
    expect(verdictOf(pollAt(0, seen), pollAt(180, seen)).kind).toBe('drained');
  });

  test('needs only one poll if the hosts respond and GitLab reports idle', () => {
    const seen = { registration: unknown, sight: partial };
    expect(verdictOf(pollAt(0, seen), pollAt(10, seen)).kind).toBe('drained');
  });
});

describe('GitLab as the only source, with a token that sees every job', () => {
  test('must report no job for the whole confirmation period', () => {
    const unresponsive = { hosts: [unresponsiveHost], sight };
    expect(verdictOf(pollAt(0, unresponsive), pollAt(179, unresponsive)).kind).toBe('confirming');
    expect(verdictOf(pollAt(0, unresponsive), pollAt(180, unresponsive))).toEqual({
      kind: 'drained',
      reason:
        'only GitLab reports that no job is left (i-1: the SSM agent does not respond) (for 180s)',
      lost: [],
    });
    expect(verdictOf(pollAt(0, { hosts: [], sight }), pollAt(179, { hosts: [], sight })).kind).toBe(
      'confirming',
    );
  });

  test('proves nothing without a runner, and ends the wait after the confirmation period', () => {
    const pollUnresponsive = (at: number) =>
      pollAt(at, { registration: gone, hosts: [unresponsiveHost] });
    expect(verdictOf(pollUnresponsive(0), pollUnresponsive(179))).toEqual({
      kind: 'busy',
      reason:
        'the runner no longer exists, and no host responds; i-1: the SSM agent does not respond; no source confirms that its jobs have ended',
      jobs: [],
    });
    expect(verdictOf(pollUnresponsive(0), pollUnresponsive(180))).toEqual({
      kind: 'blind',
      reason:
        'the runner no longer exists, and no host responds; i-1: the SSM agent does not respond',
    });
    // One response in between restarts the period.
    const spoken = pollAt(90, { registration: gone });
    expect(verdictOf(pollUnresponsive(0), spoken, pollUnresponsive(180)).kind).toBe('busy');
  });
});
