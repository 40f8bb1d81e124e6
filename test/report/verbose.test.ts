import { expect, test } from '@jest/globals';
import { createLog } from '../../src/adapters/system/log.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import { formatEvent } from '../../src/report/verbose.ts';
import { pink, purple } from '../fakes/builders.ts';

const at = '2026-11-24T10:00:00.000Z';

function renderLog(detail: typeof formatEvent | undefined): string {
  let text = '';
  const log = createLog({
    write: (more) => {
      text += more;
    },
    clock: { now: () => Date.parse(at), elapsed: () => 0, sleep: () => Promise.resolve() },
    sections: { open: ({ title }) => `${title}\n`, close: () => '' },
    redact: (one) => one.replaceAll('glpat-secret', '[redacted]'),
    detail,
  });
  log.section('prepare linux');
  for (const event of events) log.event(event);
  log.wait('Waiting: no host is registered (0s of 3m).');
  log.wait('Waiting: no host is registered (5s of 3m).');
  log.act('Promoted pink.');
  log.close();
  return text;
}

const events: readonly LogEvent[] = [
  {
    kind: 'call',
    c: 1,
    call: 'parameters.find',
    effect: false,
    args: ['glpat-secret'],
    outcome: 'answered',
    answer: 'glpat-secret',
  },
  { kind: 'begin', c: 2, call: 'registry.setIntake', args: [] },
  {
    kind: 'call',
    c: 2,
    call: 'registry.setIntake',
    effect: true,
    args: [],
    outcome: 'rejected',
    error: '502 for glpat-secret',
  },
  { kind: 'http_repetition', source: 'GitLab', attempts: 1, afterMs: 500, told: true },
  { kind: 'gitlab', outcome: 'answered', version: '19.3.0', enterprise: true, ahead_ms: 12 },
  { kind: 'silence', side: 'AWS', ms: 5000 },
  { kind: 'guard', guard: 'inactive_shard', outcome: 'passed' },
  {
    kind: 'evidence',
    shard: pink,
    verdict: 'waiting',
    evidence: [{ kind: 'instance', state: 'good', detail: 'i-1 runs', source: 'ec2', at }],
  },
  { kind: 'step', step: 'healthcheck', phase: 'applied' },
  { kind: 'status', active: undefined },
  {
    kind: 'service',
    shard: pink,
    service: { kind: 'disproven', reason: 'every process ended' },
  },
  {
    kind: 'drain',
    shard: purple,
    judgement: { kind: 'blind', reason: 'nobody is left' },
  },
  {
    kind: 'bake',
    shard: pink,
    verdict: 'watching',
    reason: '10m of 30m remain',
    finished: 12,
    wanted: 20,
  },
  {
    kind: 'removal',
    shard: purple,
    judgement: { kind: 'wait', reason: 'a worker runs', forMs: 1 },
  },
];

test('a run without --verbose prints none of the details', () => {
  expect(renderLog(undefined)).toBe(`prepare linux
  Waiting: no host is registered (0s of 3m).
  Promoted pink.
`);
});

test('--verbose prints the details, and no argument, response or secret', () => {
  expect(renderLog(formatEvent)).toBe(`prepare linux
  · Called parameters.find.
  · registry.setIntake failed: 502 for [redacted]
  · Retried a request to GitLab after 500 ms (attempt 2).
  · GitLab is 19.3.0; its clock is 12 ms ahead.
  · AWS has not responded for 5000 ms.
  · Guard inactive_shard: passed.
  · Checked pink: waiting; instance good (i-1 runs).
  · Started step healthcheck at phase applied.
  · The active shard is not set.
  · Availability of pink: disproven: every process ended.
  · Drain of purple: blind: nobody is left.
  · Bake: pink is baking after 12 of 20 jobs: 10m of 30m remain.
  · Removal of purple waits: a worker runs.
  Waiting: no host is registered (0s of 3m).
  · Waiting: no host is registered (5s of 3m).
  Promoted pink.
`);
});
