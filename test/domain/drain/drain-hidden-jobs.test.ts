import { describe, expect, test } from '@jest/globals';
import { gone, judged, lookAt, silentHost } from './drain-looks.ts';

const sight = {
  list: 'whole',
  reason: 'deployer is an administrator',
  execution: 'idle',
  hiddenMs: 1_800_000,
} as const;
const partial = {
  ...sight,
  list: 'unproven',
  reason: 'the token may not see the jobs of every project',
} as const;
const unknown = { kind: 'seen', paused: true, execution: 'unknown' } as const;

describe('a token that may not see every job', () => {
  const silent = { hosts: [silentHost], sight: partial };

  test.each([
    [35 * 60, 1_800_000],
    [65 * 60, 3_600_000],
  ])(
    'lets GitLab alone confirm for %ss, longer than a canceling job lives',
    (seconds, hiddenMs) => {
      const seen = { ...silent, sight: { ...partial, hiddenMs } };
      expect(judged(lookAt(0, seen), lookAt(seconds - 1, seen))).toEqual({
        kind: 'confirming',
        reason:
          'only GitLab reports no job (i-1: its agent does not respond), and the token may not see the jobs of every project; another check must confirm it',
        forMs: 1000,
        neededMs: seconds * 1000,
      });
      expect(judged(lookAt(0, seen), lookAt(seconds, seen)).kind).toBe('drained');
    },
  );

  test('learns of a hidden job from GraphQL if REST does not report it', () => {
    const seen = {
      ...silent,
      registration: unknown,
      sight: { ...partial, execution: 'active' as const },
    };
    expect(judged(lookAt(0, seen))).toMatchObject({
      kind: 'busy',
      reason: 'GitLab reports that the runner runs a job that this token cannot see',
    });
  });

  test('proves nothing if no source reports whether jobs run and no host responds', () => {
    const seen = {
      ...silent,
      registration: unknown,
      sight: { ...partial, execution: 'unknown' as const },
    };
    expect(judged(lookAt(0, seen), lookAt(179, seen)).kind).toBe('busy');
    expect(judged(lookAt(0, seen), lookAt(180, seen))).toEqual({
      kind: 'blind',
      reason:
        'no host responds, this GitLab does not report whether jobs run, and the token may not see the jobs of every project; i-1: its agent does not respond',
    });
  });

  test('relies on the hosts for the longer period if no source reports whether jobs run', () => {
    const seen = { registration: unknown, sight: { ...partial, execution: 'unknown' as const } };
    expect(judged(lookAt(0, seen), lookAt(179, seen))).toMatchObject({
      kind: 'confirming',
      reason:
        'every host reports no job, and GitLab lists none, but does not report jobs that this token cannot see; another check must confirm it',
    });
    expect(judged(lookAt(0, seen), lookAt(180, seen)).kind).toBe('drained');
  });

  test('needs only one poll if the hosts respond and GitLab reports idle', () => {
    const seen = { registration: unknown, sight: partial };
    expect(judged(lookAt(0, seen), lookAt(10, seen)).kind).toBe('drained');
  });
});

describe('GitLab as the only source, with a token that sees every job', () => {
  test('must report no job for the whole confirmation period', () => {
    const silent = { hosts: [silentHost], sight };
    expect(judged(lookAt(0, silent), lookAt(179, silent)).kind).toBe('confirming');
    expect(judged(lookAt(0, silent), lookAt(180, silent))).toEqual({
      kind: 'drained',
      reason: 'only GitLab reports no job (i-1: its agent does not respond) (for 180s)',
      lost: [],
    });
    expect(judged(lookAt(0, { hosts: [], sight }), lookAt(179, { hosts: [], sight })).kind).toBe(
      'confirming',
    );
  });

  test('proves nothing without a runner, and ends the wait after the confirmation period', () => {
    const silent = (at: number) => lookAt(at, { registration: gone, hosts: [silentHost] });
    expect(judged(silent(0), silent(179))).toEqual({
      kind: 'busy',
      reason:
        'the runner no longer exists and no host responds; i-1: its agent does not respond; no source confirms that its jobs have ended',
      jobs: [],
    });
    expect(judged(silent(0), silent(180))).toEqual({
      kind: 'blind',
      reason: 'the runner no longer exists and no host responds; i-1: its agent does not respond',
    });
    // One response in between restarts the period.
    const spoken = lookAt(90, { registration: gone });
    expect(judged(silent(0), spoken, silent(180)).kind).toBe('busy');
  });
});
