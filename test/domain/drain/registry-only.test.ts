import { describe, expect, test } from '@jest/globals';
import { type DrainObservation, judgeDrain } from '../../../src/domain/drain/drain-check.ts';
import {
  endRegistryOnly,
  formatRegistryOnly,
  formatUnended,
} from '../../../src/domain/drain/registry-only.ts';
import { jobOf } from '../samples.ts';
import {
  idleHost,
  pollAt,
  rules,
  stoppedHost,
  unresponsiveHost,
  verdictOf,
  workingHost,
} from './drain-observations.ts';

const job = jobOf();

describe('a job that GitLab lists and no host reports', () => {
  test.each<[string, Partial<DrainObservation>, string]>([
    [
      'names the job if every runner process has ended',
      { hosts: [stoppedHost], jobs: [job] },
      'GitLab lists job 9 "build" as running, but every runner process has ended',
    ],
    [
      'names the job if every host reports no job',
      { hosts: [idleHost], jobs: [job] },
      'GitLab lists job 9 "build" as running, but every host reports no job',
    ],
    [
      'names the job if one process has ended and the rest report no job',
      { hosts: [stoppedHost, { ...idleHost, host: 'i-2' }], jobs: [job] },
      'GitLab lists job 9 "build" as running, but every host reports no job',
    ],
    [
      'names a job that is being cancelled, with its status',
      { hosts: [stoppedHost], jobs: [jobOf({ status: 'canceling' }), jobOf({ id: '10' })] },
      'GitLab lists job 9 "build" and 1 more as canceling or running, but every runner process has ended',
    ],
    [
      'reports a job that the token cannot list',
      {
        hosts: [stoppedHost],
        registration: { kind: 'seen', paused: true, execution: 'active' },
      },
      'GitLab reports a job that this token cannot list, but every runner process has ended',
    ],
  ])('%s', (_, seen, reason) => {
    const polls = [0, 5, 10].map((at) => pollAt(at, seen));
    expect(verdictOf(...polls)).toMatchObject({
      kind: 'busy',
      reason,
      registryOnly: { confirmed: true, current: true, forMs: 10_000 },
    });
  });

  test.each<[string, readonly DrainObservation[]]>([
    ['before both sources have reported it for a poll of the runner', [pollAt(0, { jobs: [job] })]],
    [
      'if the job differs from the one before',
      [pollAt(0, { jobs: [jobOf({ id: '8' })] }), pollAt(10, { jobs: [job] })],
    ],
  ])('stays unconfirmed %s', (_, polls) => {
    expect(verdictOf(...polls)).toMatchObject({
      kind: 'busy',
      reason: 'job 9 "build" is running',
      registryOnly: { confirmed: false },
    });
  });

  test.each<[string, Partial<DrainObservation>]>([
    ['a host that runs a job', { hosts: [stoppedHost, workingHost] }],
    ['a host without a response', { hosts: [stoppedHost, unresponsiveHost] }],
    ['hosts that may not be queried', { hosts: [] }],
    ['a job that no runner has confirmed', { jobs: [jobOf({ status: 'assigned' })] }],
    [
      'a second runner that takes jobs',
      { others: [{ id: '7', open: true, execution: 'idle', jobs: [] }] },
    ],
  ])('does not count as listed by GitLab alone beside %s', (_, changes) => {
    const polls = [0, 600].map((at) => pollAt(at, { jobs: [job], ...changes }));
    const verdict = verdictOf(...polls);
    expect(verdict.kind).toBe('busy');
    expect(verdict).not.toHaveProperty('registryOnly');
  });

  test('does not count as listed by GitLab alone while Systems Manager lists fewer hosts than the shard has managers', () => {
    const polls = [0, 600].map((at) => pollAt(at, { jobs: [job], hosts: [idleHost] }));
    expect(judgeDrain(polls, { ...rules, managers: 2 })).not.toHaveProperty('registryOnly');
    expect(judgeDrain(polls, { ...rules, managers: 1 })).toHaveProperty('registryOnly');
  });

  test('keeps the report of the hosts between two checks of them, which decides nothing', () => {
    const active = { kind: 'seen', paused: true, execution: 'active' } as const;
    const seen = { jobs: [job], registration: active };
    const polls = [pollAt(0, seen), pollAt(30, seen), pollAt(34, { ...seen, hosts: [] })];
    expect(verdictOf(...polls)).toMatchObject({
      reason: 'GitLab lists job 9 "build" as running, but every host reports no job',
      registryOnly: { confirmed: true, current: false },
    });
    const late = [...polls, pollAt(91, { ...seen, hosts: [] })];
    expect(verdictOf(...late)).not.toHaveProperty('registryOnly');
  });

  test('does not delay the drain on GitHub, because the hosts decide there', () => {
    const poll = pollAt(0, { hosts: [stoppedHost], jobs: [job] });
    expect(judgeDrain([poll], { ...rules, idleSource: 'proves_nothing' })).toEqual({
      kind: 'drained',
      reason: 'every runner process has ended, which decides, although job 9 "build" is running',
      lost: [],
    });
  });
});

describe('a job that an earlier drain has counted as lost according to GitLab', () => {
  const counted = { broken: [{ id: '9', why: 'registry_only' }] } as const;
  const judge = (polls: readonly DrainObservation[], more: { readonly managers?: number } = {}) =>
    judgeDrain(polls, { ...rules, ...more, counted });

  test('does not delay a drain whose runner processes have ended', () => {
    expect(judge([pollAt(0, { hosts: [stoppedHost], jobs: [job] })])).toEqual({
      kind: 'drained',
      reason:
        'GitLab lists job 9 "build" as running, but every runner process has ended, and the drain already counted it as lost',
      lost: [],
    });
  });

  test('delays the drain until the hosts have reported no job for a poll of the runner', () => {
    const polls = [0, 5, 10].map((at) => pollAt(at, { hosts: [idleHost], jobs: [job] }));
    expect(judge(polls.slice(0, 2))).toMatchObject({
      kind: 'busy',
      registryOnly: { confirmed: false },
    });
    expect(judge(polls)).toMatchObject({ kind: 'drained', lost: [] });
  });

  test('delays the drain between two checks of the hosts', () => {
    const active = { kind: 'seen', paused: true, execution: 'active' } as const;
    const seen = { jobs: [job], registration: active, hosts: [stoppedHost] };
    const polls = [pollAt(0, seen), pollAt(30, seen), pollAt(34, { ...seen, hosts: [] })];
    expect(judge(polls).kind).toBe('busy');
  });

  test.each<[string, Partial<DrainObservation>, number]>([
    ['another job is listed', { jobs: [job, jobOf({ id: '10' })] }, 1],
    ['a host runs a job', { hosts: [workingHost] }, 1],
    ['a host does not respond', { hosts: [unresponsiveHost] }, 1],
    ['no host may be queried', { hosts: [] }, 1],
    ['Systems Manager lists fewer hosts than the shard has managers', {}, 2],
    [
      'a second runner takes jobs',
      { others: [{ id: '7', open: true, execution: 'idle', jobs: [] }] },
      1,
    ],
  ])('delays the drain while %s', (_, changes, managers) => {
    const polls = [0, 600].map((at) =>
      pollAt(at, { hosts: [stoppedHost], jobs: [job], ...changes }),
    );
    expect(judge(polls, { managers }).kind).toBe('busy');
  });

  test.each(['killed', 'host_gone', 'runner_failed', 'ended_by_us'] as const)(
    'delays the drain if it was counted as %s',
    (why) => {
      const polls = [0, 600].map((at) => pollAt(at, { hosts: [stoppedHost], jobs: [job] }));
      const verdict = judgeDrain(polls, { ...rules, counted: { broken: [{ id: '9', why }] } });
      expect(verdict.kind).toBe('busy');
    },
  );
});

describe('the text about such a job', () => {
  test('names the limit that the operator has set instead of the hour', () => {
    const limits = { registry: 'GitLab', now: 0, forceAfterMs: 30_000 };
    expect(formatRegistryOnly({ jobs: [job] }, limits).at(-1)).toBe(
      `GitLab decides until drain.force_after has passed. Cancel ${job.url || 'job 9'} in GitLab, or wait: after drain.force_after (30s) the drain continues and counts it as lost.`,
    );
  });

  test('names the job, its age, the deciding source, the action and the time limit', () => {
    const started = jobOf({ startedAt: '2026-11-01T10:00:00Z', url: 'https://gitlab.example/j/9' });
    const now = Date.parse('2026-11-01T10:12:00Z');
    expect(formatRegistryOnly({ jobs: [started] }, { registry: 'GitLab', now })).toEqual([
      `Only in GitLab: job 9 "build" of ${started.project}, running for 12m: https://gitlab.example/j/9.`,
      'GitLab decides, so the drain waits. Cancel https://gitlab.example/j/9 in GitLab, or wait: GitLab drops a job an hour after its last update.',
    ]);
  });

  test('names ten jobs and counts the others', () => {
    const jobs = Array.from({ length: 12 }, (_, at) => jobOf({ id: `${at}` }));
    const lines = formatRegistryOnly({ jobs }, { registry: 'GitLab', now: 0 });
    expect(lines).toHaveLength(12);
    expect(lines[10]).toBe('Only in GitLab: 2 more jobs.');
  });

  test('advises to force the cancellation of a job that is being cancelled', () => {
    expect(
      endRegistryOnly([{ id: '9', status: 'canceling', url: '' }], { registry: 'GitLab' }),
    ).toBe(
      'Force the cancellation of job 9 in GitLab, or wait: GitLab drops a job an hour after its last update',
    );
  });

  test('names no job that the token cannot list', () => {
    expect(endRegistryOnly([], { registry: 'GitLab' })).toMatch(/^Cancel the job in GitLab, /);
  });

  test.each([
    [10, /job 10 in GitLab, or wait/],
    [11, /job 10, 1 more job in GitLab, or wait/],
    [21, /job 10, 11 more jobs in GitLab, or wait/],
  ])('names ten of %d jobs and counts the others', (count, expected) => {
    const many = Array.from({ length: count }, (_, at) => {
      return { id: `${at + 1}`, status: 'running', url: '' } as const;
    });
    expect(endRegistryOnly(many, { registry: 'GitLab' })).toMatch(expected);
  });
});

test('a job with an unknown end is named with the data that an earlier run has kept', () => {
  const { name, project, url } = job;
  const ids = Array.from({ length: 11 }, (_, index) => ({ id: String(20 + index) }));
  const lines = formatUnended([{ id: '9', name, project, url }, ...ids], 'GitLab');
  expect(lines[0]).toBe(
    `Unknown end: GitLab listed job 9 "build" of ${project} as running and no longer lists it (${url}).`,
  );
  expect(lines[1]).toBe('Unknown end: GitLab listed job 20 as running and no longer lists it.');
  expect(lines.slice(10)).toEqual(['Unknown end: 2 more jobs.']);
});
