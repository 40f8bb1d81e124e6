import { describe, expect, test } from '@jest/globals';
import { type DrainLook, judgeDrain } from '../../src/domain/drain.ts';
import { gitlabWords } from '../../src/gitlab/words.ts';
import { jobOf } from './samples.ts';

const rules = { pollOfRunnerMs: 10_000, confirmationMs: 180_000, words: gitlabWords };
const idleHost = { kind: 'jobs', host: 'i-1', count: 0 } as const;
const silentHost = { kind: 'silent', host: 'i-1', reason: 'its agent is lost' } as const;
const stoppedHost = { kind: 'stopped', host: 'i-1' } as const;
const gone = { kind: 'gone' } as const;

/** Paused, no job, and the host says so too. */
function lookAt(seconds: number, changes: Partial<DrainLook> = {}): DrainLook {
  return {
    at: seconds * 1000,
    registration: { kind: 'seen', paused: true, execution: 'idle' },
    jobs: [],
    hosts: [idleHost],
    hostsGone: false,
    ...changes,
  };
}

const judged = (...looks: readonly DrainLook[]) => judgeDrain(looks, rules);

describe('two sources', () => {
  test('have to agree twice, a poll of the runner apart', () => {
    expect(judged(lookAt(0))).toEqual({
      kind: 'confirming',
      reason: 'GitLab and every host say that no job is left; seen again before it counts',
      forMs: 10_000,
    });
    expect(judged(lookAt(0), lookAt(9.9))).toMatchObject({ kind: 'confirming', forMs: 100 });
    expect(judged(lookAt(0), lookAt(10))).toEqual({
      kind: 'drained',
      reason: 'GitLab and every host say that no job is left, for 10s',
      lost: [],
    });
  });

  test.each<[string, Partial<DrainLook>]>([
    ['a job in GitLab', { jobs: [jobOf()] }],
    ['a job on the host', { hosts: [{ kind: 'jobs', host: 'i-1', count: 1 }] }],
    ['a host that did not answer', { hosts: [silentHost] }],
    ['an open registration', { registration: { kind: 'seen', paused: false, execution: 'idle' } }],
  ])('begin anew after %s', (_, between) => {
    expect(judged(lookAt(0), lookAt(5, between), lookAt(10)).kind).toBe('confirming');
  });
});

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
          'GitLab alone says that no job is left, to a token of which it is known only that it may not see the jobs of every project; seen again before it counts',
        forMs: 1000,
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
      reason: 'GitLab alone says that no job is left, for 180s',
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

describe('a shard is busy while', () => {
  test.each<[string, Partial<DrainLook>, string]>([
    ['a job runs', { jobs: [jobOf()] }, 'job 9 "build" is running'],
    [
      'a job is canceling',
      { jobs: [jobOf({ status: 'canceling' })] },
      'job 9 "build" is canceling',
    ],
    [
      'a job is assigned and not acknowledged',
      { jobs: [jobOf({ status: 'assigned' }), jobOf({ id: '10' })] },
      'job 9 "build" is assigned and 1 more',
    ],
    [
      'GitLab hides the job and calls the runner active',
      { registration: { kind: 'seen', paused: true, execution: 'active' } },
      'GitLab says that the runner executes a job that this token cannot see',
    ],
    [
      'only the host knows of its jobs',
      { hosts: [{ kind: 'jobs', host: 'i-1', count: 2 }] },
      'host i-1 says that it runs 2 jobs',
    ],
    [
      'a stopped process has left a job in GitLab',
      { hosts: [stoppedHost], jobs: [jobOf()] },
      'job 9 "build" is running',
    ],
  ])('%s', (_, seen, reason) => {
    const looks = [0, 600].map((at) => lookAt(at, seen));
    expect(judged(...looks)).toMatchObject({ kind: 'busy', reason });
  });
});

describe('a shard without a registration, of which Systems Manager names no host', () => {
  const nothing = { registration: gone, hosts: [], noHostListed: true } as const;

  test('is drained after the confirmation window', () => {
    expect(judged(lookAt(0, nothing), lookAt(179, nothing))).toEqual({
      kind: 'confirming',
      reason:
        'there is no registration, and Systems Manager knows no host; seen again before it counts',
      forMs: 1000,
    });
    expect(judged(lookAt(0, nothing), lookAt(180, nothing))).toEqual({
      kind: 'drained',
      reason: 'there is no registration, and Systems Manager knows no host, for 180s',
      lost: [],
    });
  });

  test.each<[string, Partial<DrainLook>]>([
    ['a host that was silent', { registration: gone, hosts: [silentHost] }],
    ['a registration that was there', { hosts: [], noHostListed: true }],
  ])('begins anew after %s', (_, between) => {
    const looks = [lookAt(0, nothing), lookAt(100, between), lookAt(180, nothing)];
    expect(judged(...looks).kind).toBe('confirming');
  });

  test('is never drained where hosts cannot be listed at all', () => {
    const unknown = { registration: gone, hosts: [] };
    expect(judged(lookAt(0, unknown), lookAt(9999, unknown)).kind).toBe('blind');
  });
});

describe('at once', () => {
  test('drained: every process has ended and nothing is left', () => {
    expect(judged(lookAt(0, { hosts: [stoppedHost] }))).toEqual({
      kind: 'drained',
      reason: 'every runner process has ended and no job is left',
      lost: [],
    });
  });

  test('drained: no host exists any more; what GitLab still believes is lost', () => {
    const job = jobOf();
    expect(judged(lookAt(0, { hosts: [], hostsGone: true, jobs: [job] }))).toEqual({
      kind: 'drained',
      reason: 'no host of the shard exists any more',
      lost: [job],
    });
  });

  test('reopened: somebody un-paused it, even where no host is left', () => {
    const open = { kind: 'seen', paused: false, execution: 'idle' } as const;
    expect(judged(lookAt(0, { registration: open, hostsGone: true }))).toEqual({
      kind: 'reopened',
      reason: 'the registration is not paused',
    });
  });

  test('not one of several processes that have not all ended', () => {
    expect(judged(lookAt(0, { hosts: [stoppedHost, idleHost] })).kind).toBe('confirming');
  });

  test('nothing: nobody has looked', () => {
    expect(judged()).toEqual({ kind: 'confirming', reason: 'not looked at yet', forMs: 180_000 });
  });
});

test('a registration that somebody removed is drained by the word of its hosts', () => {
  const looks = [0, 10].map((at) => lookAt(at, { registration: gone }));
  expect(judged(...looks).kind).toBe('drained');
});
