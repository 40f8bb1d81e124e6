import { describe, expect, test } from '@jest/globals';
import { outputsOf } from '../../src/adapters/ci/github/github-outputs.ts';
import { renderSummary } from '../../src/adapters/ci/github/github-summary.ts';
import { cancelled } from '../../src/errors/external-errors.ts';
import { pink } from '../fakes/builders.ts';
import { good, reportProvision, runOf } from './running.ts';
import { reportLateDrain } from './troubled.ts';

describe('the summary of a job on GitHub', () => {
  test('shows the evidence, the timeline and the current state', () => {
    expect(renderSummary(reportProvision())).toMatchSnapshot();
  });

  test('shows the switch, kills, jobs and waits of the timeline in its chart', () => {
    const chart = renderSummary(reportLateDrain());
    for (const line of [
      '  section switch and kills\n  runner killed on i-0abc1234567890def :crit, milestone, e0, ',
      '  section waits\n  purple drains  job 900017  integration  is running  120s  ab :w0, ',
      ' listed while purple drained :j',
    ])
      expect(chart).toContain(line);
    expect(chart).toMatch(/ {2}job 900018 a+ :crit, j/);
  });

  test('quotes the error in a fence that the error cannot close', () => {
    const { end } = runOf();
    const report = end({ error: cancelled('provision', 'hosted-runner provision --runner linux') });
    const hostile = { ...report, error: { code: 'X', what: 'x', text: 'a\n````\n# b\n`````' } };
    expect(renderSummary(hostile)).toContain('``````text\na\n````\n# b\n`````\n``````');
  });

  test('shows text of other systems without its markup', () => {
    const { log, end } = runOf();
    const hostile = { ...good, detail: '| ![x](https://evil.example/x.png) <img> @everyone\n# h' };
    log.event({ kind: 'evidence', shard: pink, verdict: 'healthy', evidence: [hostile] });
    const row = renderSummary(end())
      .split('\n')
      .find((line) => line.includes('evil'));
    expect(row).toContain(
      '\\| \\!\\[x\\]\\(https:\u2060//evil.example/x.png\\) \\<img\\> @\u2060everyone \\# h',
    );
  });

  test.each([
    [49, 49, false],
    [50, 50, false],
    [51, 50, true],
  ])('shows, of %d pieces of evidence, %d, and counts the others', (count, shown, isMore) => {
    const { log, end } = runOf();
    const evidence = Array.from({ length: count }, () => ({ ...good, detail: 'one of many' }));
    log.event({ kind: 'evidence', shard: pink, verdict: 'healthy', evidence });
    const text = renderSummary(end());
    expect(text.split('one of many')).toHaveLength(shown + 1);
    expect(text.includes('\nand 1 more')).toBe(isMore);
  });

  test('stays below the size limit of GitHub', () => {
    const { log, end } = runOf();
    const evidence = Array.from({ length: 1000 }, () => ({ ...good, detail: '|'.repeat(9000) }));
    log.event({ kind: 'evidence', shard: pink, verdict: 'healthy', evidence });
    expect(Buffer.byteLength(renderSummary(end()))).toBeLessThan(1024 * 1024);
  });
});

test('the outputs show the current state, and stay empty for unknown values', () => {
  expect(outputsOf(reportProvision())).toEqual({
    active_shard: 'pink',
    candidate: 'pink',
    retiring: 'purple',
    phase: 'promoted',
    deployment_id: '101-5001',
    outcome: 'done',
    exit_code: '0',
    jobs_finished: '',
    jobs_broken: '',
    longest_wait_seconds: '',
    two_shards_seconds: '',
  });
  expect(
    outputsOf(
      runOf().end({ error: cancelled('provision', 'hosted-runner provision --runner linux') }),
    ),
  ).toEqual({
    active_shard: '',
    candidate: '',
    retiring: '',
    phase: '',
    deployment_id: '',
    outcome: 'cancelled',
    exit_code: '130',
    jobs_finished: '',
    jobs_broken: '',
    longest_wait_seconds: '',
    two_shards_seconds: '',
  });
});
