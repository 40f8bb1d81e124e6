import { describe, expect, test } from '@jest/globals';
import type { RunnerName, Shard } from '../../src/domain/shard.ts';
import { cancelled } from '../../src/errors/external-errors.ts';
import { healthcheckTimedOut } from '../../src/errors/healthcheck-errors.ts';
import { lockHeld } from '../../src/errors/lock-errors.ts';
import { renderJUnit } from '../../src/report/junit.ts';
import { linksOf } from '../../src/report/links.ts';
import {
  renderAnnotations,
  renderDeploymentEnv,
  renderReportFiles,
} from '../../src/report/report-files.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { pink } from '../fakes/builders.ts';
import { withoutAddress } from '../support/without-address.ts';
import { deployment, good, reportProvision, runOf } from './running.ts';

const timedOut = healthcheckTimedOut({
  runner: 'linux' as RunnerName,
  candidate: 'pink' as Shard,
  within: '15m',
  checks: 31,
  reasons: ['no manager has contacted GitLab'],
  diagnoses: [],
  noChange: undefined,
  openMethods: [],
  inARow: 1,
});

function failedReport() {
  const { log, wait, end } = runOf();
  log.event({ kind: 'step', step: 'guard', phase: 'applied' });
  wait(1);
  log.event({ kind: 'step', step: 'healthcheck', phase: 'applied' });
  wait(900);
  const missing = { ...good, state: 'missing', detail: 'no manager has contacted GitLab' } as const;
  log.event({ kind: 'evidence', shard: pink, verdict: 'unhealthy', evidence: [missing] });
  const requirements = {
    instance: 'optional',
    manager: 'required',
    host: 'off',
    workload: 'off',
    capacity: 'off',
    reachability: 'off',
    canary: 'required',
    observe: 'off',
  } as const;
  return end({ error: timedOut, requirements });
}

describe('junit.xml', () => {
  test('contains a case for the run, each step, each guard and each piece of evidence', () => {
    expect(renderJUnit(reportProvision())).toMatchSnapshot();
  });

  test('fails the run, its last step and the required evidence that was missing', () => {
    expect(withoutAddress(renderJUnit(failedReport()))).toMatchSnapshot();
  });

  test('fails the guard that refused, with its code and its text', () => {
    const { log, end } = runOf();
    const detail = 'the plan deletes an instance of purple';
    const refusal = {
      guard: 'plan',
      outcome: 'refused',
      code: 'PlanRefused',
      exitCode: 3,
    } as const;
    log.event({ kind: 'guard', ...refusal, detail });
    expect(renderJUnit(end({ error: timedOut }))).toContain(
      'classname="linux.guard" name="plan: the plan changes only this shard" time="0.000"><failure type="PlanRefused" message="the plan deletes an instance of purple">',
    );
  });

  test('fails a guard without a response, and skips one that only requires a later run', () => {
    const { log, end } = runOf();
    log.event({
      kind: 'guard',
      guard: 'hold',
      outcome: 'unanswered',
      detail: 'AWS did not answer',
    });
    const detail = 'job 90002 has it';
    log.event({
      kind: 'guard',
      guard: 'lock',
      outcome: 'refused',
      code: 'LockHeld',
      exitCode: 75,
      detail,
    });
    const text = renderJUnit(end());
    expect(text).toContain('<failure type="unanswered" message="AWS did not answer">');
    expect(text).toContain('<skipped message="job 90002 has it"/>');
  });

  test('shows the last result of a guard that was checked before every effect', () => {
    const { log, end } = runOf();
    log.event({ kind: 'guard', guard: 'record', outcome: 'passed' });
    log.event({ kind: 'guard', guard: 'record', outcome: 'refused', code: 'ForeignWrite' });
    expect(renderJUnit(end()).match(/linux\.guard/g)).toHaveLength(1);
  });

  test('skips a run that has to be repeated, because it is not a defect', () => {
    const error = lockHeld({
      runner: 'linux',
      stage: 'provision',
      reason: 'job 90002',
      isAlive: false,
    });
    expect(renderJUnit(runOf().end({ error }))).toContain('failures="0" errors="0" skipped="2"');
  });

  test('stays valid with characters that XML forbids', () => {
    const { log, end } = runOf();
    const detail = 'a ]]> <b> & " \u0000 \u000b \ud800 \ufffe';
    const hostile = { ...good, state: 'bad', detail } as const;
    log.event({ kind: 'evidence', shard: pink, verdict: 'unhealthy', evidence: [hostile] });
    const text = renderJUnit(end({ error: timedOut }));
    expect(text).toContain('message="a ]]&gt; &lt;b&gt; &amp; &quot;');
    expect(text).not.toMatch(/[\u0000\u000b\ud800\ufffe]/);
  });
});

describe('deployment.env', () => {
  test('shows the state of the deployment, one value a line', () => {
    expect(renderDeploymentEnv(reportProvision())).toBe(
      [
        'HOSTED_RUNNER_ACTIVE_SHARD=pink',
        'HOSTED_RUNNER_CANDIDATE=pink',
        'HOSTED_RUNNER_RETIRING=purple',
        'HOSTED_RUNNER_PHASE=promoted',
        'HOSTED_RUNNER_DEPLOYMENT_ID=101-5001',
        'HOSTED_RUNNER_OUTCOME=done',
        '',
      ].join('\n'),
    );
  });

  test('omits unknown values', () => {
    const report = runOf().end({
      error: cancelled('provision', 'hosted-runner provision --runner linux'),
    });
    expect(renderDeploymentEnv(report)).toBe('HOSTED_RUNNER_OUTCOME=cancelled\n');
  });

  test('contains no line, quote or variable from other systems', () => {
    const { log, end } = runOf();
    const hostile = { ...deployment, id: 'x\nEVIL=1 $(id) "\'' };
    log.event({ kind: 'record', how: 'read', deployment: hostile });
    expect(renderDeploymentEnv(end())).toContain('HOSTED_RUNNER_DEPLOYMENT_ID=xEVIL1id\n');
  });
});

describe('annotations.json', () => {
  const settings = {
    gitlabUrl: 'https://gitlab.example.com',
    canary: { kind: 'project', project: 'acme/canary', ref: 'main', input: 'tag' },
    registration: { scope: { kind: 'group', groupId: 10 } },
  } as unknown as Parameters<typeof linksOf>[0]['settings'];
  const environment = { CI_JOB_URL: 'https://gitlab.example.com/acme/runners/-/jobs/90001' };

  test('links to the runner, the canary, the pipeline and the timeline', () => {
    const links = linksOf({
      settings,
      deployment,
      environment,
      reportDirectory: 'hosted-runner-report',
    });
    expect(JSON.parse(renderAnnotations(runOf().end({ links })))).toEqual({
      hosted_runner: [
        ['Runner 48213 of pink (API)', 'https://gitlab.example.com/api/v4/runners/48213'],
        ['Canary job 70001', 'https://gitlab.example.com/acme/canary/-/jobs/70001'],
        ['Pipeline of deployment 101-5001', deployment.pipelineUrl],
        [
          'Timeline of this run',
          `${environment.CI_JOB_URL}/artifacts/file/hosted-runner-report/timeline.html`,
        ],
      ].map(([label, url]) => ({ external_link: { label, url } })),
    });
  });

  test('omits the timeline of a folder that the CI does not collect, and invalid addresses', () => {
    const hostile = { ...deployment, pipelineUrl: 'javascript:alert(1)' };
    const { registration: _, canary: __, ...bare } = hostile;
    for (const reportDirectory of ['/tmp/report', '../report', undefined]) {
      expect(linksOf({ settings, deployment: bare, environment, reportDirectory })).toEqual([]);
    }
  });

  test('contains at most 20 links', () => {
    const links = Array.from({ length: 30 }, (_, index) => ({
      label: `link ${index}`,
      url: 'https://example.com/',
    }));
    const { hosted_runner: kept } = JSON.parse(renderAnnotations(runOf().end({ links })));
    expect(kept).toHaveLength(20);
  });
});

describe('timeline.html', () => {
  test('shows the steps of this run and the earlier phases', () => {
    const page = renderTimeline(reportProvision());
    expect(page).toContain('provision linux: done');
    for (const [name, took] of [
      ['earlier, since 2026-11-02 09:50', '1m 32s'],
      ['apply', '1m'],
      ['healthcheck', '30s'],
      ['promote', '2s'],
    ] as const)
      expect(page).toMatch(new RegExp(`>${name}</td>.*>${took}</td></tr>`));
    expect(page).toContain('manager 7 contacted GitLab 3s ago');
  });

  test('needs no other file, and accepts no markup of other systems', () => {
    const { log, end } = runOf();
    log.act('<script src="https://evil.example/x.js"></script>');
    const page = renderTimeline(
      end({ links: [{ label: '<i>', url: 'https://example.com/?a="b' }] }),
    );
    expect(page).not.toMatch(/<(?:script|link|img|iframe)|url\(/);
    expect(page).toContain('&lt;script');
    expect(page).toContain('href="https://example.com/?a=&quot;b"');
  });

  test('stays small for a drain of days', () => {
    const { log, wait, end } = runOf();
    for (let minute = 0; minute < 20_000; minute += 1) {
      log.act(`Looked again: ${'x'.repeat(5000)} ${minute}.`);
      wait(60);
    }
    const report = end();
    expect(report.acts).toHaveLength(500);
    expect(report.actsLeftOut).toBe(19_500);
    for (const { text } of renderReportFiles(report)) expect(text.length).toBeLessThan(3_000_000);
  });
});

test('no file contains a secret that became known later, in any text', () => {
  const secret = 'glrt-0123456789abcdefghij';
  const { log, end } = runOf([secret, 'hunter2hunter2']);
  log.act(`Used ${secret}.`);
  log.warn('Saw hunter2hunter2.');
  const leaky = { ...good, detail: `token=${Buffer.from('hunter2hunter2').toString('base64')}` };
  log.event({ kind: 'evidence', shard: pink, verdict: 'healthy', evidence: [leaky] });
  const report = end({ result: { kind: 'done', summary: ['hunter2hunter2'] } });
  const all = JSON.stringify(renderReportFiles(report));
  expect(all).not.toMatch(/glrt-|hunter2|aHVudGVyMmh1bnRlcjI/);
  expect(all).toContain('[MASKED]');
});
