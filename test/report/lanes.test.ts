import { describe, expect, test } from '@jest/globals';
import type { Phase } from '../../src/domain/deployment/stages-and-steps.ts';
import { allPhases } from '../../src/domain/deployment/stages-and-steps.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import type { RegistryJob } from '../../src/ports/registry.ts';
import { layOut, paper, scroll, telephone } from '../../src/report/drawing/layout.ts';
import { pictureOfRun, stateAt } from '../../src/report/picture-of-run.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { phasesFrom } from '../domain/samples.ts';
import { purple } from '../fakes/builders.ts';
import { deployment, runOf, startedAt } from './running.ts';
import { reportLateDrain } from './troubled.ts';

const second = 1000;

/** Reports a deployment that an earlier run began, phase by phase. */
function reportPhases(ending: Parameters<ReturnType<typeof runOf>['end']>[0] = {}) {
  const { log, wait, end } = runOf();
  log.event({ kind: 'record', how: 'read', deployment });
  const write = (phase: Phase) =>
    log.event({ kind: 'record', how: 'written', deployment: { ...deployment, phase } });
  log.event({ kind: 'step', step: 'healthcheck', phase: 'applied' });
  wait(30);
  write('healthy');
  log.event({ kind: 'step', step: 'promote', phase: 'healthy' });
  write('promoting');
  wait(2);
  write('promoted');
  log.event({ kind: 'step', step: 'drain', phase: 'promoted' });
  write('draining');
  const jobs = [{ id: '900017', name: 'integration', status: 'running' }] as RegistryJob[];
  const busy = { kind: 'busy', reason: 'job 900017 runs', jobs } as const;
  log.event({ kind: 'drain', shard: purple, judgement: busy });
  wait(90);
  log.event({ kind: 'drain', shard: purple, judgement: busy });
  wait(8);
  write('drained');
  log.event({ kind: 'step', step: 'destroy', phase: 'drained' });
  write('destroying');
  wait(20);
  write('done');
  return end(ending);
}

test('a job that a drain lists is drawn from its start until the first check without it', () => {
  const { log, wait, end } = runOf();
  log.event({ kind: 'record', how: 'read', deployment: { ...deployment, phase: 'draining' } });
  wait(20);
  const started = new Date(startedAt + 5 * second).toISOString();
  const jobs = [{ id: '7', name: 'a', status: 'running', startedAt: started }] as RegistryJob[];
  log.event({
    kind: 'drain',
    shard: purple,
    judgement: { kind: 'busy', reason: 'job 7 runs', jobs },
  });
  wait(10);
  log.event({ kind: 'drain', shard: purple, judgement: { kind: 'blind', reason: 'no source' } });
  wait(10);
  const confirming = { kind: 'confirming', reason: 'another check must confirm it' } as const;
  log.event({ kind: 'drain', shard: purple, judgement: confirming as never });
  wait(10);
  log.event({ kind: 'drain', shard: purple, judgement: confirming as never });
  const [job] = pictureOfRun(end())?.jobs ?? [];
  expect([job?.startedAt, job?.endedAt]).toEqual([startedAt + 5 * second, startedAt + 40 * second]);
});

test('a step that resumes in the same run is one scene, and its bake shows a drained shard', () => {
  const { log, wait, end } = runOf();
  log.event({ kind: 'record', how: 'read', deployment: { ...deployment, phase: 'drained' } });
  log.event({ kind: 'step', step: 'bake', phase: 'drained' });
  wait(30);
  log.event({ kind: 'step', step: 'bake', phase: 'drained' });
  wait(30);
  const report = end();
  expect(report.steps.map(({ name }) => name)).toEqual(['bake']);
  const picture = pictureOfRun(report);
  expect(picture?.scenes).toHaveLength(1);
  expect(picture?.spans.find(({ shard }) => shard === 'purple')?.state).toBe('drained');
});

test('a phase of the previous deployment does not count for this one', () => {
  const { log, wait, end } = runOf();
  const before = { ...deployment, id: '100-1', candidate: 'purple', retiring: 'pink' } as const;
  log.event({ kind: 'record', how: 'read', deployment: { ...before, phase: 'done' } as never });
  wait(4);
  const write = (phase: Phase) =>
    log.event({ kind: 'record', how: 'written', deployment: { ...deployment, phase } });
  write('prepared');
  wait(3);
  write('applying');
  wait(10);
  const spans = pictureOfRun(end({}))?.spans.map(({ shard, state, from, to }) => [
    shard,
    state,
    (from - startedAt) / second,
    (to - startedAt) / second,
  ]);
  expect(spans).toEqual([
    ['purple', 'active', 4, 17],
    ['pink', 'building', 7, 17],
  ]);
});

describe('the shard lanes of a run', () => {
  const picture = pictureOfRun(reportPhases());

  test('show the state of both shards from the first observation to the end', () => {
    const spans = picture?.spans.map(({ shard, state, from, to }) => [
      shard,
      state,
      (from - startedAt) / second,
      (to - startedAt) / second,
    ]);
    expect(picture?.shards).toEqual(['pink', 'purple']);
    expect(spans).toEqual([
      ['purple', 'active', -30, 32],
      ['purple', 'serving', 32, 32],
      ['purple', 'draining', 32, 130],
      ['purple', 'drained', 130, 130],
      ['purple', 'destroying', 130, 150],
      ['pink', 'quarantine', -30, 30],
      ['pink', 'serving', 30, 32],
      ['pink', 'active', 32, 150],
    ]);
  });

  test('show the switch, and the jobs that the drain observed', () => {
    expect(picture?.switches).toEqual([{ at: startedAt + 32 * second, to: 'pink' }]);
    expect(picture?.jobs).toEqual([
      {
        shard: 'purple',
        startedAt: startedAt + 32 * second,
        endedAt: startedAt + 122 * second,
        kind: 'long',
        text: 'job 900017 integration, listed while purple drained',
      },
    ]);
  });

  test('appear in the page, as in the report of the demo, with the steps below', () => {
    const page = renderTimeline(reportPhases());
    for (const part of [
      'class="bar draining"',
      'class="bar quarantine"',
      'pink made active at ',
      'class="job long"',
      'class="legend"',
    ])
      expect(page).toContain(part);
    expect(page.indexOf('<h2>Steps</h2>')).toBeGreaterThan(page.indexOf('class="bar draining"'));
  });

  test('mark the time at which an error ended the run', () => {
    const error = new DeployError({
      code: 'DrainTimedOut',
      exitCode: 1,
      what: 'It took too long.',
    });
    expect(renderTimeline(reportPhases({ error }))).toContain('✖ DrainTimedOut');
  });

  test('show a wait, kills, and the killed job', () => {
    const troubled = pictureOfRun(reportLateDrain());
    const waits = troubled?.waits?.map(({ text, from, to }) => [
      text,
      (from - startedAt) / second,
      (to - startedAt) / second,
    ]);
    expect(waits).toEqual([
      ['purple drains, job 900017 "integration" is running, 120s, about 3m left', 0, 121],
      ['canary job 900001 begins', 121, 124],
      ['i-0def1234567890abc is shutting-down, 0s', 124, 164],
    ]);
    expect(troubled?.moments.map(({ at, text }) => [text, (at - startedAt) / second])).toEqual([
      ['runner killed on i-0abc1234567890def', 120],
      ['runner killed on i-0def1234567890abc', 121],
      ['i-0def1234567890abc terminated', 121],
      ['DrainTimedOut', 164],
    ]);
    expect(troubled?.jobs.map(({ kind }) => kind)).toEqual(['long', 'harmed']);
    const page = renderTimeline(reportLateDrain());
    for (const part of ['class="wait"', 'Waits', 'class="job harmed"'])
      expect(page).toContain(part);
  });

  test('stay away if no record was read, and the page reports it', () => {
    const report = runOf().end();
    expect(pictureOfRun(report)).toBeUndefined();
    expect(renderTimeline(report)).toContain('No deployment record was read.');
  });

  test('stay narrow enough to scroll for a drain of days', () => {
    const { log, wait, end } = runOf();
    log.event({ kind: 'record', how: 'read', deployment: { ...deployment, phase: 'draining' } });
    wait(3 * 86_400);
    const long = pictureOfRun(end());
    expect(long === undefined ? 0 : layOut(long).width).toBeLessThan(3500);
  });

  test.each([
    ['a screen', scroll],
    ['paper', paper],
    ['a phone', telephone],
  ])('show labels on %s that never overlap', (_, sheet) => {
    const layout = picture === undefined ? undefined : layOut(picture, sheet);
    const labels = [...(layout?.scenes ?? []), ...(layout?.switches ?? [])];
    expect(labels.length).toBeGreaterThan(3);
    for (const [index, one] of labels.entries())
      for (const other of labels.slice(index + 1)) {
        const left = one.x < other.x ? one : other;
        const right = left === one ? other : one;
        const meets = left.x + left.text.length * 7.2 > right.x && Math.abs(one.y - other.y) < 15;
        expect([one.text, other.text, meets]).toEqual([one.text, other.text, false]);
      }
  });
});

test('each phase defines the state of both shards, and an unknown phase defines none', () => {
  const states = [...allPhases, 'sublimated'].map((phase) => [
    phase,
    `${stateAt(phase, 'candidate') ?? '-'} / ${stateAt(phase, 'retiring') ?? '-'}`,
  ]);
  expect(Object.fromEntries(states)).toEqual({
    prepared: '- / active',
    onboarded: 'building / active',
    applying: 'building / active',
    applied: 'quarantine / active',
    healthy: 'quarantine / active',
    promoting: 'serving / active',
    promoted: 'active / serving',
    draining: 'active / draining',
    ...Object.fromEntries(
      phasesFrom('drained', 'destroying').map((phase) => [phase, 'active / drained']),
    ),
    destroying: 'active / destroying',
    done: 'active / -',
    retreating: 'draining / active',
    sublimated: '- / -',
  });
});
