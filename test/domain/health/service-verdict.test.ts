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
  detail: 'its agent is lost',
  refused: false,
} as const;
const quits = {
  host: 'i-0abc',
  state: 'unready',
  detail: 'its process is quitting',
  refused: false,
} as const;
const ended = { host: 'i-0abc', state: 'ended', detail: 'stopped', refused: false } as const;

function look(changes: Partial<ServiceObservation> = {}): ServiceObservation {
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

const judged = (changes: Partial<ServiceObservation>) => judgeService(look(changes), rules);

describe('a shard serves', () => {
  test('by a process that runs and a request that was answered within minutes', () => {
    expect(judged({ work: [sign('request', 4000)] })).toEqual({
      kind: 'proven',
      reason:
        'runner 48214 of purple is un-paused and has its tags, a process of it runs, and a request was seen 4s ago',
      ageMs: 4000,
    });
  });

  test('by whatever it takes, and never by tags that it does not have', () => {
    const registration = { kind: 'open', id: '48214', isConfigured: false } as const;
    expect(judged({ registration, work: [sign('job', 4000)] })).toMatchObject({
      kind: 'proven',
      reason: expect.stringMatching(
        /^runner 48214 of purple is un-paused and has tags of which none is configured, /,
      ),
    });
  });

  test.each([
    ['job', 29 * minute, 'proven'],
    ['canary', 29 * minute, 'proven'],
    ['job', 31 * minute, 'unknown'],
    ['request', 6 * minute, 'unknown'],
    ['job', -1, 'unknown'],
  ] as const)('by a process and a %s %d ms old: %s', (kind, ageMs, answer) => {
    expect(judged({ work: [sign(kind, ageMs)] }).kind).toBe(answer);
  });

  test('by the youngest of its signs', () => {
    const work = [sign('canary', 20 * minute), sign('job', minute)];
    expect(judged({ work })).toMatchObject({ kind: 'proven', ageMs: minute });
  });

  test('with an age in whole milliseconds, however finely it was measured', () => {
    expect(judged({ work: [sign('request', 3999.6)] })).toMatchObject({ ageMs: 4000 });
  });

  test('by a job within the evidence’s age, where no host may be asked', () => {
    const work = [sign('canary', 29 * minute)];
    expect(judged({ hosts: { kind: 'not_asked' }, work }).kind).toBe('proven');
  });
});

describe('a shard is not proven to serve', () => {
  test('by any work, where no host may be asked and EC2 calls every machine of it terminated', () => {
    const hosts = {
      kind: 'ended',
      reason: 'EC2 says of its machines: i-0abc is terminated',
    } as const;
    const work = [sign('canary', 1000), sign('job', 0)];
    expect(judged({ hosts, work })).toEqual({
      kind: 'unknown',
      reason:
        'runner 48214 of purple is un-paused and has its tags; EC2 says of its machines: i-0abc is terminated; the last sign of work is that a job was seen 0s ago',
      missing: 'a machine of it that EC2 does not call terminated',
      open: true,
      against: true,
      ended: true,
    });
  });

  test('by an open registration and a process', () => {
    expect(judged({})).toEqual({
      kind: 'unknown',
      reason:
        'runner 48214 of purple is un-paused and has its tags; a process of it runs; nothing was seen to be taken there',
      missing:
        "a host's word that its process runs and that GitLab answers its requests, or a job or a canary that begins there (within 30m)",
      open: true,
      against: false,
    });
  });

  test.each([
    [minute, false, '1m'],
    [3 * 60 * minute, true, '3h'],
  ])('by a contact: one of %i ms ago speaks against it: %s', (contactAgeMs, against, ago) => {
    const registration = { kind: 'open', id: '48214', isConfigured: true, contactAgeMs } as const;
    expect(judged({ registration })).toMatchObject({
      kind: 'unknown',
      against,
      reason: `runner 48214 of purple is un-paused and has its tags; a process of it runs; a manager of it last contacted GitLab ${ago} ago; nothing was seen to be taken there`,
    });
  });

  test('by an old canary while its hosts are silent', () => {
    const hosts = { kind: 'seen', processes: [lost] } as const;
    expect(judged({ hosts, work: [sign('canary', 6 * minute)] })).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('host i-0abc: its agent is lost'),
    });
    expect(judged({ hosts, work: [sign('canary', 2 * minute)] }).kind).toBe('unknown');
    expect(judged({ hosts, work: [sign('job', minute)] }).kind).toBe('proven');
  });

  test('by what began on none of the processes that run, for longer than by a silent host', () => {
    const hosts = { kind: 'seen', processes: [runs, lost] } as const;
    const elsewhere = (ageMs: number) => [{ ...sign('job', ageMs), elsewhere: 'unseen' as const }];
    expect(judged({ hosts, work: elsewhere(minute) }).kind).toBe('proven');
    expect(judged({ hosts, work: elsewhere(minute + 1) }).kind).toBe('unknown');
    const work = [...elsewhere(0), sign('job', 29 * minute)];
    expect(judged({ hosts, work }).kind).toBe('proven');
  });

  test.each([
    ['no host is silent that it could have begun on', [runs], 'unseen'],
    ['each of the others says that it takes no job', [runs, ended, quits], 'unseen'],
    ['it began on one that has ended, and another is silent', [ended, lost], 'ended'],
  ] as const)('by what began a moment ago where %s', (_, processes, elsewhere) => {
    const work = [{ ...sign('job', 0), elsewhere }];
    expect(judged({ hosts: { kind: 'seen', processes }, work })).toMatchObject({
      kind: 'unknown',
      missing: expect.stringContaining("a host's word that its process runs"),
    });
  });

  test('by a job of a moment ago, while each of its processes says that it takes none', () => {
    const hosts = { kind: 'seen', processes: [quits, ended] } as const;
    expect(judged({ hosts, work: [sign('job', 0)] })).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('host i-0abc: its process is quitting'),
    });
  });

  test.each([
    ['no_answer', 'and has counted no answer to runner 48214'],
    ['untold', 'and which of them is runner 48214 is not told'],
  ] as const)('by what another runner of its process is answered: %s', (ofSeveral, words) => {
    const hosts = { kind: 'seen', processes: [{ ...runs, ofSeveral }] } as const;
    expect(judged({ hosts })).toEqual({
      kind: 'unknown',
      reason: `runner 48214 of purple is un-paused and has its tags; a process of it runs; host i-0abc: its process has several runners, ${words}; nothing was seen to be taken there`,
      missing:
        "a host's word that its process runs and that GitLab answers the requests of runner 48214 itself, or a job or a canary that begins there (within 30m)",
      open: true,
      against: false,
    });
  });

  test('by hosts that cannot be listed', () => {
    const hosts = { kind: 'unknown', reason: 'ssm:DescribeInstanceInformation is denied' } as const;
    expect(judged({ hosts, work: [sign('canary', 6 * minute)] }).kind).toBe('unknown');
  });

  test('by a canary, while the registry refuses its requests', () => {
    const hosts = { kind: 'seen', processes: [{ ...runs, refused: true }] } as const;
    expect(judged({ hosts, work: [sign('canary', minute)] })).toMatchObject({
      kind: 'unknown',
      against: true,
      reason: expect.stringContaining('GitLab refuses the requests of i-0abc'),
    });
  });

  test('where its registration could not be read', () => {
    const registration = { kind: 'unknown', reason: '502' } as const;
    expect(judged({ registration, work: [sign('job', 0)] })).toMatchObject({
      kind: 'unknown',
      open: false,
      missing: 'the word of GitLab',
    });
  });
});

describe('a shard cannot serve', () => {
  test.each([
    ['no machine of it exists', { kind: 'gone', reason: 'i-0abc is terminated' }],
    ['every process of it has ended', { kind: 'seen', processes: [ended, ended] }],
  ] as const)('where %s, whatever its registration and its jobs say', (_, hosts) => {
    expect(judged({ hosts, work: [sign('job', 0)] }).kind).toBe('disproven');
  });

  test('but may, where one of its processes has not ended, or no host is listed', () => {
    expect(judged({ hosts: { kind: 'seen', processes: [ended, lost] } }).kind).toBe('unknown');
    expect(judged({ hosts: { kind: 'seen', processes: [] } }).kind).toBe('unknown');
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
] as const)('a shard whose registration is %s is closed', (_, registration, reason) => {
  const absent = registration.kind === 'none' ? { absent: true } : {};
  expect(judged({ registration, work: [sign('job', 0)] })).toEqual({
    kind: 'closed',
    reason,
    ...absent,
  });
});
