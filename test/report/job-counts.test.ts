import { describe, expect, test } from '@jest/globals';
import { outputsOf } from '../../src/adapters/ci/github/github-outputs.ts';
import { renderSummary } from '../../src/adapters/ci/github/github-summary.ts';
import { costOf } from '../../src/domain/deployment/cost.ts';
import {
  beginDrainTally,
  emptyTally,
  withBroken,
  withJobs,
} from '../../src/domain/deployment/tally.ts';
import { renderJUnit } from '../../src/report/junit.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { recordAt } from '../domain/samples.ts';
import { deployment, runOf } from './running.ts';

const at = '2026-11-02T10:00:00.000Z';

/** Reports a deployment whose drain saw `seen` jobs, the first of them killed. */
function reportDrain(seen: number, killed: number) {
  const jobs = Array.from({ length: seen }, (_, index) => ({ id: `${index}`, url: '' }));
  const ids = jobs.map(({ id }) => id);
  const drain = withBroken(withJobs(beginDrainTally(at), ids), jobs.slice(0, killed), 'killed');
  const tally = { ...emptyTally, drain: { ...drain, settled: true } };
  const cost = costOf(recordAt({ tally }).deployment, at);
  const { log, end } = runOf();
  log.event({ kind: 'record', how: 'written', deployment: { ...deployment, phase: 'done', cost } });
  return end();
}

describe.each([
  [40, 5, '35', '5'],
  [40, 6, '34', 'at least 6'],
  [41, 0, 'at least 41', '0'],
  [100, 7, 'at least 93', 'at least 7'],
])('the reports after a drain of %d jobs with %d killed', (seen, killed, finished, broken) => {
  const report = reportDrain(seen, killed);
  const value = (text: string) => text.replaceAll(' ', '_');

  test('show each count in GitHub’s summary, and whether it is a lower bound', () => {
    expect(renderSummary(report)).toContain(`| ${finished} | ${broken} |`);
  });

  test('show each count in junit.xml, and whether it is a lower bound', () => {
    const text = renderJUnit(report);
    expect(text).toContain(`name="hosted_runner.jobs_finished" value="${value(finished)}"`);
    expect(text).toContain(`name="hosted_runner.jobs_broken" value="${value(broken)}"`);
  });

  test('show each count in timeline.html, and whether it is a lower bound', () => {
    const line = `${finished} jobs finished while their shard drained, ${broken} lost or interrupted`;
    expect(renderTimeline(report).toLowerCase()).toContain(line);
  });

  test('show each count in the outputs, and whether it is a lower bound', () => {
    const counts = { jobs_finished: value(finished), jobs_broken: value(broken) };
    expect(outputsOf(report)).toMatchObject(counts);
  });
});
