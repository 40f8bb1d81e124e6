import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import type {
  ServiceObservation,
  WorkSign,
} from '../../../src/domain/health/service-observation.ts';
import { judgeService } from '../../../src/domain/health/service-verdict.ts';
import { purple } from '../../fakes/builders.ts';

const minute = 60_000;
const rules = { evidenceMaxAgeMs: 30 * minute, words: gitlabTerms };
const runs = { host: 'i-0abc', state: 'runs', detail: 'running', refused: false } as const;
const lost = {
  host: 'i-0abc',
  state: 'silent',
  detail: 'the SSM agent does not respond',
  refused: false,
} as const;
const quits = {
  host: 'i-0abc',
  state: 'unready',
  detail: 'its process is quitting',
  refused: false,
} as const;
const ended = { host: 'i-0abc', state: 'ended', detail: 'stopped', refused: false } as const;

function observeService(changes: Partial<ServiceObservation> = {}): ServiceObservation {
  return {
    shard: purple,
    registration: { kind: 'open', id: '48214', isConfigured: true },
    hosts: { kind: 'seen', processes: [runs] },
    work: [],
    ...changes,
  };
}

function sign(kind: WorkSign['kind'], ageMs: number): WorkSign {
  return { kind, what: `a ${kind} was seen`, ageMs };
}

const verdictOf = (changes: Partial<ServiceObservation>) =>
  judgeService(observeService(changes), rules);

describe('a verified shard', () => {
  test('needs a running process and a request that was answered within minutes', () => {
    expect(verdictOf({ work: [sign('request', 4000)] })).toEqual({
      kind: 'proven',
      reason:
        'runner 48214 of purple is unpaused and has its tags, its process runs, and a request was seen 4s ago',
      ageMs: 4000,
    });
  });

  test('may have tags that are not configured, which the reason reports', () => {
    const registration = { kind: 'open', id: '48214', isConfigured: false } as const;
    expect(verdictOf({ registration, work: [sign('job', 4000)] })).toMatchObject({
      kind: 'proven',
      reason: expect.stringMatching(
        /^runner 48214 of purple is unpaused and has tags that are not configured, /,
      ),
    });
  });

  test.each([
    ['job', 29 * minute, 'proven'],
    ['canary', 29 * minute, 'proven'],
    ['job', 31 * minute, 'unknown'],
    ['request', 6 * minute, 'unknown'],
    ['job', -1, 'unknown'],
  ] as const)('needs a recent sign of work: a %s %d ms ago is %s', (kind, ageMs, answer) => {
    expect(verdictOf({ work: [sign(kind, ageMs)] }).kind).toBe(answer);
  });

  test('shows the age of its youngest sign of work', () => {
    const work = [sign('canary', 20 * minute), sign('job', minute)];
    expect(verdictOf({ work })).toMatchObject({ kind: 'proven', ageMs: minute });
  });

  test('shows its age in whole milliseconds', () => {
    expect(verdictOf({ work: [sign('request', 3999.6)] })).toMatchObject({ ageMs: 4000 });
  });

  test('needs no host report if work is younger than the evidence age and no host may be queried', () => {
    const work = [sign('canary', 29 * minute)];
    expect(verdictOf({ hosts: { kind: 'not_asked' }, work }).kind).toBe('proven');
  });
});

describe('the verdict unknown on a shard', () => {
  test('follows although there is work if EC2 reports every machine as terminated and no host may be queried', () => {
    const hosts = {
      kind: 'ended',
      reason: 'EC2 reports its machines as i-0abc is terminated',
    } as const;
    const work = [sign('canary', 1000), sign('job', 0)];
    expect(verdictOf({ hosts, work })).toEqual({
      kind: 'unknown',
      reason:
        'runner 48214 of purple is unpaused and has its tags; EC2 reports its machines as i-0abc is terminated; the last observed activity: a job was seen 0s ago',
      missing: 'a machine of purple that EC2 does not report as terminated',
      open: true,
      against: true,
      ended: true,
    });
  });

  test('follows from an unpaused runner and a process without work', () => {
    expect(verdictOf({})).toEqual({
      kind: 'unknown',
      reason:
        'runner 48214 of purple is unpaused and has its tags; its process runs; no started job or canary was observed',
      missing:
        'a host report that the process of purple runs and that GitLab answers its requests, or a job or canary that started on purple in the last 30m',
      open: true,
      against: false,
    });
  });

  test.each([
    [minute, false, '1m'],
    [3 * 60 * minute, true, '3h'],
  ])('follows from a contact alone: %i ms ago, against it: %s', (contactAgeMs, against, ago) => {
    const registration = { kind: 'open', id: '48214', isConfigured: true, contactAgeMs } as const;
    expect(verdictOf({ registration })).toMatchObject({
      kind: 'unknown',
      against,
      reason: `runner 48214 of purple is unpaused and has its tags; its process runs; a manager contacted GitLab ${ago} ago; no started job or canary was observed`,
    });
  });

  test('follows from an old canary if the hosts do not respond', () => {
    const hosts = { kind: 'seen', processes: [lost] } as const;
    expect(verdictOf({ hosts, work: [sign('canary', 6 * minute)] })).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('on i-0abc, the SSM agent does not respond'),
    });
    expect(verdictOf({ hosts, work: [sign('canary', 2 * minute)] }).kind).toBe('unknown');
    expect(verdictOf({ hosts, work: [sign('job', minute)] }).kind).toBe('proven');
  });

  test('follows from work on none of the running processes once it is a minute old', () => {
    const hosts = { kind: 'seen', processes: [runs, lost] } as const;
    const elsewhere = (ageMs: number) => [{ ...sign('job', ageMs), elsewhere: 'unseen' as const }];
    expect(verdictOf({ hosts, work: elsewhere(minute) }).kind).toBe('proven');
    expect(verdictOf({ hosts, work: elsewhere(minute + 1) }).kind).toBe('unknown');
    const work = [...elsewhere(0), sign('job', 29 * minute)];
    expect(verdictOf({ hosts, work }).kind).toBe('proven');
  });

  test.each([
    ['every host it could have begun on responds', [runs], 'unseen'],
    ['each other host reports that it takes no job', [runs, ended, quits], 'unseen'],
    [
      'it began on a process that has ended, and another host does not respond',
      [ended, lost],
      'ended',
    ],
  ] as const)('follows although work began a moment ago if %s', (_, processes, elsewhere) => {
    const work = [{ ...sign('job', 0), elsewhere }];
    expect(verdictOf({ hosts: { kind: 'seen', processes }, work })).toMatchObject({
      kind: 'unknown',
      missing: expect.stringContaining(
        'a host report that the process of purple runs and that GitLab answers its requests, or a job or canary that started on purple in the last 30m',
      ),
    });
  });

  test('follows although a job just began if each process reports that it takes none', () => {
    const hosts = { kind: 'seen', processes: [quits, ended] } as const;
    expect(verdictOf({ hosts, work: [sign('job', 0)] })).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('on i-0abc, its process is quitting'),
    });
  });

  test.each([
    ['no_answer', 'and has counted no response to runner 48214'],
    ['unidentified', 'and its report does not identify runner 48214'],
  ] as const)(
    'follows from a response to another runner of its process: %s',
    (ofSeveral, words) => {
      const hosts = { kind: 'seen', processes: [{ ...runs, ofSeveral }] } as const;
      expect(verdictOf({ hosts })).toEqual({
        kind: 'unknown',
        reason: `runner 48214 of purple is unpaused and has its tags; its process runs; on i-0abc, the process has several runners, ${words}; no started job or canary was observed`,
        missing:
          'a host report that the process of purple runs and that GitLab answers the requests of runner 48214 itself, or a job or canary that started on purple in the last 30m',
        open: true,
        against: false,
      });
    },
  );

  test('follows if the hosts cannot be listed', () => {
    const hosts = { kind: 'unknown', reason: 'ssm:DescribeInstanceInformation is denied' } as const;
    expect(verdictOf({ hosts, work: [sign('canary', 6 * minute)] }).kind).toBe('unknown');
  });

  test('follows although a canary ran if GitLab refuses the requests of the host', () => {
    const hosts = { kind: 'seen', processes: [{ ...runs, refused: true }] } as const;
    expect(verdictOf({ hosts, work: [sign('canary', minute)] })).toMatchObject({
      kind: 'unknown',
      against: true,
      reason: expect.stringContaining('GitLab refuses the requests of i-0abc'),
    });
  });

  test('follows if its runner could not be read', () => {
    const registration = { kind: 'unknown', reason: '502' } as const;
    expect(verdictOf({ registration, work: [sign('job', 0)] })).toMatchObject({
      kind: 'unknown',
      open: false,
      missing: 'a response from GitLab',
    });
  });
});

describe('a disproven shard', () => {
  test.each([
    ['no machine of it exists', { kind: 'gone', reason: 'i-0abc is terminated' }],
    ['every process of it has ended', { kind: 'seen', processes: [ended, ended] }],
  ] as const)('counts as disproven if %s, whatever its runner and its jobs report', (_, hosts) => {
    expect(verdictOf({ hosts, work: [sign('job', 0)] }).kind).toBe('disproven');
  });

  test('counts as unknown while one of its processes has not ended, or if no host is listed', () => {
    expect(verdictOf({ hosts: { kind: 'seen', processes: [ended, lost] } }).kind).toBe('unknown');
    expect(verdictOf({ hosts: { kind: 'seen', processes: [] } }).kind).toBe('unknown');
  });
});

test.each([
  ['none', { kind: 'none' }, 'purple has no runner'],
  ['paused', { kind: 'closed', id: '48214', why: 'paused' }, 'runner 48214 of purple is paused'],
  [
    'in quarantine',
    { kind: 'closed', id: '48214', why: 'no_production_tag' },
    'runner 48214 of purple has no production tags',
  ],
] as const)('a shard with the runner state %s accepts no jobs', (_, registration, reason) => {
  const absent = registration.kind === 'none' ? { absent: true } : {};
  expect(verdictOf({ registration, work: [sign('job', 0)] })).toEqual({
    kind: 'closed',
    reason,
    ...absent,
  });
});
