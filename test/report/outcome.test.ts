import { expect, test } from '@jest/globals';
import { formatOutcome } from '../../src/report/run-report.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { pink, purple } from '../fakes/builders.ts';
import { deployment, runOf } from './running.ts';
import { reportLateDrain } from './troubled.ts';

const cost = { jobsFinished: 3, jobsBroken: 0, broken: [], longestWaitSeconds: 4 } as const;
const done = { ...deployment, phase: 'done', cost: { ...cost, twoShardsSeconds: 300 } } as const;

test('the timeline begins with the outcome: the deployment, the shard and the jobs', () => {
  const { log, end } = runOf();
  log.event({ kind: 'service', shard: pink, service: { kind: 'proven' } as never });
  log.event({ kind: 'status', active: pink });
  log.event({ kind: 'record', how: 'written', deployment: done });
  const report = end({ stage: 'deploy', result: { kind: 'done', summary: ['telemetry'] } });
  const text =
    'Deployed linux: pink replaced purple. pink is active and accepts jobs. Jobs: 3 finished, 0 lost or interrupted.';
  expect(formatOutcome(report)).toBe(text);
  const page = renderTimeline(report);
  expect(page).toContain(`<p class="verdict good">${text}</p>`);
  expect(page.indexOf('Telemetry.')).toBeGreaterThan(page.indexOf('<h2>Timeline</h2>'));
});

test('the outcome claims that a shard accepts jobs only after a check that verified it', () => {
  const { log, end } = runOf();
  log.event({ kind: 'service', shard: pink, service: { kind: 'proven' } as never });
  log.event({ kind: 'service', shard: pink, service: { kind: 'unknown' } as never });
  log.event({ kind: 'status', active: pink });
  log.event({ kind: 'record', how: 'written', deployment: { ...done, kind: 'rollback' } });
  expect(formatOutcome(end())).toBe(
    'Rolled back linux: pink replaced purple. pink is active. Jobs: 3 finished, 0 lost or interrupted.',
  );
});

test('the outcome does not claim that a drained shard accepts jobs', () => {
  const { log, end } = runOf();
  for (const shard of [pink, purple])
    log.event({ kind: 'service', shard, service: { kind: 'proven' } as never });
  log.event({ kind: 'status', active: pink });
  log.event({ kind: 'drain', shard: purple, judgement: { kind: 'drained' } as never });
  log.event({ kind: 'record', how: 'written', deployment: done });
  expect(formatOutcome(end())).toContain('pink is active and accepts jobs. Jobs: 3 finished');
});

test('the outcome of a run without a record names the command', () => {
  expect(formatOutcome(runOf().end())).toBe('provision of linux is done.');
});

test('the outcome of a failed run states the phase and the lost jobs', () => {
  expect(formatOutcome(reportLateDrain())).toBe(
    'The deployment of pink is in phase drained. Jobs: 1 finished, 1 lost or interrupted.',
  );
});
