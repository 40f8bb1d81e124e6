import { describe, expect, test } from '@jest/globals';
import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../../src/domain/health/diagnose.ts';
import type { HostFacts } from '../../../src/domain/health/diagnosis.ts';
import type { RegistryTerms } from '../../../src/domain/registry-terms.ts';

const url = 'https://gitlab.example.com/api/v4/jobs/request';

function codesOf(
  words: RegistryTerms,
  log: readonly string[],
  host: Partial<HostFacts> = {},
): readonly string[] {
  const facts = { missing: [], reports: [{ id: 'i-0abc', process: 'running', log, ...host }] };
  return diagnose(facts, { runner: 'linux', shard: 'pink', words }).map(({ code }) => code);
}

describe('requests that GitLab answers without a job', () => {
  test.each([
    ['token_refused', 'ERROR: Checking for jobs... forbidden'],
    [
      'certificate_untrusted',
      'WARNING: Checking for jobs... failed status=x509: certificate signed by unknown authority',
    ],
    ['clock_off', 'An error occurred (RequestTimeTooSkewed) when calling the GetObject operation'],
    [
      'registry_failing',
      `Checking for jobs... failed status=POST ${url}: 500 Internal Server Error`,
    ],
    [
      'registry_unreachable',
      `Checking for jobs... failed status=Post "${url}": dial tcp: no such host`,
    ],
  ])('end %s by their count', (code, line) => {
    expect(codesOf(gitlabTerms, [line], { answeredSince: false })).toEqual([code]);
    expect(codesOf(gitlabTerms, [line], { answeredSince: true })).toEqual([]);
  });

  test.each([
    [
      'token_absent',
      'An error occurred (ParameterNotFound) when calling the GetParameter operation: ',
    ],
    ['plugin_missing', 'running autoscaler plugin: loading fleeting plugin: not found'],
    ['executor_broken', 'ERROR: Preparation failed: Cannot connect to the Docker daemon job=7'],
    ['workers_not_made', 'ERROR: increasing instances failure err=VcpuLimitExceeded group=workers'],
  ])('end no %s, because its success is logged', (code, line) => {
    expect(codesOf(gitlabTerms, [line], { answeredSince: true })).toEqual([code]);
  });

  test('end the pause of a runner that GitLab Runner has disabled', () => {
    const log = ['Runner "x" is unhealthy and will be disabled for 1h0m0s seconds!'];
    expect(codesOf(gitlabTerms, log)).toEqual(['token_refused']);
    expect(codesOf(gitlabTerms, log, { answeredSince: true })).toEqual([]);
  });
});

describe('a line that GitLab Runner repeats while the cause lasts', () => {
  const at = Date.parse('2026-11-06T08:00:00Z');
  const failed = `Checking for jobs... failed`;
  const status = `POST ${url}: 500 Internal Server Error`;
  const formats = [
    [
      'text',
      `time="2026-11-06T09:00:00+01:00" level=warning msg="${failed}" runner=x status="${status}"`,
    ],
    [
      'json',
      JSON.stringify({ level: 'warning', msg: failed, status, time: '2026-11-06T08:00:00Z' }),
    ],
    ['runner, by docker', `2026-11-06T08:00:00.5Z WARNING: ${failed} status=${status}`],
    [
      'runner, by journald of systemd 255',
      `2026-11-06T09:00:00+01:00 docker-1 gitlab-runner[7]: WARNING: ${failed} status=${status}`,
    ],
    [
      'runner, by journald',
      `2026-11-06T08:00:00+0000 host gitlab-runner[7]: WARNING: ${failed} status=${status}`,
    ],
  ] as const;

  test.each(formats)('stays the cause for five minutes and not longer (%s)', (_, line) => {
    expect(codesOf(gitlabTerms, [line], { hostTimeMs: at + 299_000 })).toEqual([
      'registry_failing',
    ]);
    expect(codesOf(gitlabTerms, [line], { hostTimeMs: at + 301_000 })).toEqual([]);
  });

  test.each(formats)(
    'stays the cause for another hour if it has disabled the runner (%s)',
    (_, line) => {
      const log = [line, 'ERROR: Runner "x" is unhealthy and will be disabled for 1h0m0s seconds!'];
      expect(codesOf(gitlabTerms, log, { hostTimeMs: at + 3_599_000 })).toContain(
        'registry_failing',
      );
      expect(codesOf(gitlabTerms, log, { hostTimeMs: at + 3_901_000 })).not.toContain(
        'registry_failing',
      );
    },
  );

  test('stays the cause at any age if a later one of the same kind is young', () => {
    const [text] = formats[0].slice(1);
    const young = String(text).replace('09:00:00', '09:30:00');
    expect(codesOf(gitlabTerms, [String(text), young], { hostTimeMs: at + 1_801_000 })).toEqual([
      'registry_failing',
    ]);
  });
});

test("a line of GitHub's listener, which writes it once, is the cause at any age", () => {
  const line =
    '2026-11-06 08:00:00Z: Runner connect error: Connection refused. Retrying until reconnected.';
  const hostTimeMs = Date.parse('2026-11-08T08:00:00Z');
  expect(codesOf(githubTerms, [line], { hostTimeMs })).toEqual(['registry_unreachable']);
});
