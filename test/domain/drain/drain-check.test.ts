import { describe, expect, test } from '@jest/globals';
import type { DrainObservation } from '../../../src/domain/drain/drain-check.ts';
import { jobOf } from '../samples.ts';
import {
  gone,
  idleHost,
  judged,
  lookAt,
  silentHost,
  stoppedHost,
  workingHost,
} from './drain-looks.ts';

describe('two sources', () => {
  test('have to agree twice, a poll of the runner apart', () => {
    expect(judged(lookAt(0))).toEqual({
      kind: 'confirming',
      reason: 'GitLab and every host say that no job is left; seen again before it counts',
      forMs: 10_000,
      neededMs: 10_000,
    });
    expect(judged(lookAt(0), lookAt(9.9))).toMatchObject({ kind: 'confirming', forMs: 100 });
    expect(judged(lookAt(0), lookAt(10))).toEqual({
      kind: 'drained',
      reason: 'GitLab and every host say that no job is left, for 10s',
      lost: [],
    });
  });

  test.each<[string, Partial<DrainObservation>]>([
    ['a job in GitLab', { jobs: [jobOf()] }],
    ['a job on the host', { hosts: [{ kind: 'jobs', host: 'i-1', count: 1 }] }],
    ['a host that did not answer', { hosts: [silentHost] }],
    ['an open registration', { registration: { kind: 'seen', paused: false, execution: 'idle' } }],
  ])('begin anew after %s', (_, between) => {
    expect(judged(lookAt(0), lookAt(5, between), lookAt(10)).kind).toBe('confirming');
  });
});

describe('a runner that had several requests under way when it was paused', () => {
  const oneJob = { jobs: [jobOf()], hosts: [{ kind: 'jobs', host: 'i-1', count: 1 }] } as const;
  const another = { jobs: [jobOf({ id: '10' })] };

  test('is idle only a whole poll after the last of their jobs has ended', () => {
    const looks = [lookAt(0), lookAt(4, oneJob), lookAt(9), lookAt(13, another), lookAt(18)];
    expect(judged(...looks)).toMatchObject({ kind: 'confirming', forMs: 10_000 });
    expect(judged(...looks, lookAt(27.9)).kind).toBe('confirming');
    expect(judged(...looks, lookAt(28)).kind).toBe('drained');
  });

  test('is busy by a job that GitLab has given to a request and that the host does not list yet', () => {
    const looks = [lookAt(0), lookAt(9, { ...another, hosts: [idleHost] })];
    expect(judged(...looks)).toMatchObject({ kind: 'busy' });
  });
});

test('of a registration that the registry does not know any more the hosts alone say that it is idle', () => {
  const deleted = { registration: gone };
  const says = 'every host says that no job is left, and GitLab does not know the runner';
  expect(judged(lookAt(0, deleted))).toMatchObject({
    kind: 'confirming',
    reason: `${says}; seen again before it counts`,
    neededMs: 10_000,
  });
  expect(judged(lookAt(0, deleted), lookAt(10, deleted))).toMatchObject({
    kind: 'drained',
    reason: `${says}, for 10s`,
  });
});

describe('a shard is busy while', () => {
  test.each<[string, Partial<DrainObservation>, string]>([
    ['a job runs', { jobs: [jobOf()], hosts: [workingHost] }, 'job 9 "build" is running'],
    [
      'a job is canceling',
      { jobs: [jobOf({ status: 'canceling' })], hosts: [workingHost] },
      'job 9 "build" is canceling',
    ],
    [
      'a job is assigned and not acknowledged',
      { jobs: [jobOf({ status: 'assigned' }), jobOf({ id: '10' })] },
      'job 9 "build" is assigned and 1 more',
    ],
    [
      'GitLab hides the job and calls the runner active',
      { registration: { kind: 'seen', paused: true, execution: 'active' }, hosts: [workingHost] },
      'GitLab says that the runner executes a job that this token cannot see',
    ],
    [
      'only the host knows of its jobs',
      { hosts: [{ kind: 'jobs', host: 'i-1', count: 2 }] },
      'host i-1 says that it runs 2 jobs',
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
      neededMs: 180_000,
    });
    expect(judged(lookAt(0, nothing), lookAt(180, nothing))).toEqual({
      kind: 'drained',
      reason: 'there is no registration, and Systems Manager knows no host, for 180s',
      lost: [],
    });
  });

  test.each<[string, Partial<DrainObservation>]>([
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

  test('drained: nor is a job waited for that such a host never took, once it should be back', () => {
    const job = jobOf({ status: 'assigned' });
    const gone = { hosts: [], hostsGone: true, jobs: [job] };
    expect(judged(lookAt(0, gone))).toEqual({
      kind: 'busy',
      reason:
        'no host of the shard exists any more, and job 9 "build", which none of them took, goes back to its queue',
      jobs: [job],
    });
    expect(judged(lookAt(0, gone), lookAt(179, gone)).kind).toBe('busy');
    expect(judged(lookAt(0, gone), lookAt(180, gone))).toMatchObject({
      kind: 'drained',
      lost: [job],
    });
    const without = { ...gone, registration: { kind: 'gone' } } as const;
    expect(judged(lookAt(0, without))).toMatchObject({ kind: 'drained', lost: [job] });
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
    expect(judged()).toEqual({
      kind: 'confirming',
      reason: 'not looked at yet',
      forMs: 180_000,
      neededMs: 180_000,
    });
  });
});

test('a registration that somebody removed is drained by the word of its hosts', () => {
  const looks = [0, 10].map((at) => lookAt(at, { registration: gone }));
  expect(judged(...looks).kind).toBe('drained');
});
