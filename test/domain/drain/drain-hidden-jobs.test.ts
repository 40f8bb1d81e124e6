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
  reason: 'it may not see the jobs of every project',
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
          'GitLab alone says that no job is left (i-1: its agent is lost), to a token of which it is known only that it may not see the jobs of every project; seen again before it counts',
        forMs: 1000,
        neededMs: seconds * 1000,
      });
      expect(judged(lookAt(0, seen), lookAt(seconds, seen)).kind).toBe('drained');
    },
  );

  test('learns of a hidden job from GraphQL, where REST does not say', () => {
    const seen = {
      ...silent,
      registration: unknown,
      sight: { ...partial, execution: 'active' as const },
    };
    expect(judged(lookAt(0, seen))).toMatchObject({
      kind: 'busy',
      reason: 'GitLab says that the runner executes a job that this token cannot see',
    });
  });

  test('proves nothing where nobody says whether jobs run and no host answers', () => {
    const seen = {
      ...silent,
      registration: unknown,
      sight: { ...partial, execution: 'unknown' as const },
    };
    expect(judged(lookAt(0, seen), lookAt(179, seen)).kind).toBe('busy');
    expect(judged(lookAt(0, seen), lookAt(180, seen))).toEqual({
      kind: 'blind',
      reason:
        'no host answers, this GitLab does not say whether jobs run, and of the token it is known only that it may not see the jobs of every project (i-1: its agent is lost)',
    });
  });

  test('rests on the hosts for the longer window where nobody says whether jobs run', () => {
    const seen = { registration: unknown, sight: { ...partial, execution: 'unknown' as const } };
    expect(judged(lookAt(0, seen), lookAt(179, seen))).toMatchObject({
      kind: 'confirming',
      reason:
        'every host says that no job is left, and GitLab shows none but does not say whether one runs that this token cannot see; seen again before it counts',
    });
    expect(judged(lookAt(0, seen), lookAt(180, seen)).kind).toBe('drained');
  });

  test('needs no more than a poll where the hosts speak and GitLab says idle', () => {
    const seen = { registration: unknown, sight: partial };
    expect(judged(lookAt(0, seen), lookAt(10, seen)).kind).toBe('drained');
  });
});

describe('GitLab alone, to a token that sees every job,', () => {
  test('has to say so for the whole confirmation window', () => {
    const silent = { hosts: [silentHost], sight };
    expect(judged(lookAt(0, silent), lookAt(179, silent)).kind).toBe('confirming');
    expect(judged(lookAt(0, silent), lookAt(180, silent))).toEqual({
      kind: 'drained',
      reason: 'GitLab alone says that no job is left (i-1: its agent is lost), for 180s',
      lost: [],
    });
    expect(judged(lookAt(0, { hosts: [], sight }), lookAt(179, { hosts: [], sight })).kind).toBe(
      'confirming',
    );
  });

  test('is not enough where the registration is gone, and ends the wait after the confirmation', () => {
    const silent = (at: number) => lookAt(at, { registration: gone, hosts: [silentHost] });
    expect(judged(silent(0), silent(179))).toEqual({
      kind: 'busy',
      reason:
        'the registration is gone and no host answers (i-1: its agent is lost): nothing says that its jobs have ended',
      jobs: [],
    });
    expect(judged(silent(0), silent(180))).toEqual({
      kind: 'blind',
      reason: 'the registration is gone and no host answers (i-1: its agent is lost)',
    });
    // One answer in between, and the time begins anew.
    const spoken = lookAt(90, { registration: gone });
    expect(judged(silent(0), spoken, silent(180)).kind).toBe('busy');
  });
});
