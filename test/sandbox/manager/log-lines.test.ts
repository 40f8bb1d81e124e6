import { describe, expect, test } from '@jest/globals';
import { formatLine, type LogFormat, type LogLine } from '../../../sandbox/manager/log-format.ts';
import { linesOf, shortToken, verifyLine } from '../../../sandbox/manager/log-lines.ts';
import type { ManagerSettings } from '../../../sandbox/manager/orders.ts';
import { abilitiesOf } from '../../../sandbox/manager/version.ts';
import { wholeLine } from '../../../src/adapters/aws/line-text.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../../src/domain/health/diagnose.ts';

const token = 'glrt-t1_AbCdEfGhIjKlMnOpQrSt';
const settings = (version: string, url = 'http://127.0.0.1:9'): ManagerSettings => ({
  url,
  token,
  systemId: 's_0123456789ab',
  version,
  logFormat: 'runner',
  jobRouter: false,
  conduct: 'works',
  failsEvery: 0,
  concurrent: 4,
  checkIntervalMs: 1000,
  traceIntervalMs: 1000,
  heartbeatMs: 30_000,
  unhealthyIntervalMs: 3_600_000,
  shutdownTimeoutMs: 2000,
  buildsFolder: '/builds',
  searchPath: '/bin',
});
const at = new Date('2026-11-22T16:00:00.123Z');
const write = (line: LogLine, format: LogFormat = 'runner') => formatLine(line, { format, at });

describe('a line of the runner log', () => {
  // Lines from a build of gitlab-runner 14.7.0, printed with `cat -v`: ^[ is the escape character.
  test.each<[string, LogLine, string]>([
    [
      'a refused connection',
      linesOf(settings('14.7.0')).failed(-1, 'connect ECONNREFUSED 127.0.0.1:9', ''),
      '^[[0;33mWARNING: Checking for jobs... failed              ^[[0;m  ^[[0;33mrunner^[[0;m=glrt-t1_ ^[[0;33mstatus^[[0;m=couldn\'t execute POST against http://127.0.0.1:9/api/v4/jobs/request: Post "http://127.0.0.1:9/api/v4/jobs/request": dial tcp 127.0.0.1:9: connect: connection refused',
    ],
    [
      'the configuration',
      linesOf(settings('14.7.0')).loaded(),
      'Configuration loaded                              ^[[0;m  builds^[[0;m=0',
    ],
    [
      'SIGQUIT',
      linesOf(settings('14.7.0')).quits(0),
      '^[[0;33mWARNING: Starting graceful shutdown, waiting for builds to finish^[[0;m  ^[[0;33mStopSignal^[[0;m=quit ^[[0;33mbuilds^[[0;m=0',
    ],
  ])('matches 14.7: %s', (_, line, captured) => {
    expect(write(line).replaceAll('\u001b', '^[')).toBe(captured);
  });

  test.each<[string, string]>([
    ['15.6.2', `Runner http://127.0.0.1:9${token} is not healthy and will be disabled!`],
    [
      '16.7.1',
      `Runner "http://127.0.0.1:9${token}" is unhealthy and will be disabled for 1h0m0s seconds!`,
    ],
    [
      '16.8.0',
      'Runner "http://127.0.0.1:9t1_AbCdEf" is unhealthy and will be disabled for 1h0m0s seconds!',
    ],
    [
      '18.2.0',
      'Runner "http://127.0.0.1:9AbCdEfGhI" is unhealthy and will be disabled for 1h0m0s seconds!',
    ],
  ])(
    'reports an unhealthy runner as %s does, with its whole token up to 16.7',
    (version, message) => {
      expect(linesOf(settings(version)).silenced(3).message).toBe(message);
    },
  );

  test('exists in each format', () => {
    const line = linesOf(settings('18.6.0')).forbidden('01KAP7');
    const status = 'POST http://127.0.0.1:9/api/v4/jobs/request: 403 Forbidden';
    expect(write(line, 'json')).toBe(
      `{"correlation_id":"01KAP7","level":"error","msg":"Checking for jobs... forbidden","runner":"AbCdEfGhI","runner_name":"sandbox","status":"${status}","time":"2026-11-22T16:00:00.123Z"}`,
    );
    expect(write(line, 'text')).toBe(
      `time="2026-11-22T16:00:00Z" level=error msg="Checking for jobs... forbidden" correlation_id=01KAP7 runner=AbCdEfGhI runner_name=sandbox status="${status}"`,
    );
  });

  test.each([
    ['14.7.0', 'is alive', 'is removed'],
    ['15.10.1', 'is alive', 'is removed'],
    ['15.11.0', 'is valid', 'is not valid'],
    ['19.3.0', 'is valid', 'is not valid'],
  ])('shows the verification as %s does', (version, accepted, refused) => {
    expect(verifyLine({ token, version }, 200, '').message).toBe(`Verifying runner... ${accepted}`);
    expect(verifyLine({ token, version }, 403, '').message).toBe(`Verifying runner... ${refused}`);
  });
});

const versions = ['14.7.0', '15.11.0', '16.5.0', '17.11.0', '18.3.0', '18.6.0', '19.3.0'];
const formats: readonly LogFormat[] = ['runner', 'text', 'json'];
describe.each(versions.flatMap((version) => formats.map((format) => [version, format] as const)))(
  'the log of %s in the format %s',
  (version, format) => {
    const lines = linesOf(settings(version, 'https://gitlab.example.com'));
    const codes = (...log: readonly LogLine[]) =>
      diagnose(
        {
          missing: [],
          reports: [
            {
              id: 'i-1',
              process: 'running',
              log: log.map((line) => wholeLine(write(line, format), (text) => text)),
            },
          ],
        },
        { runner: 'linux', shard: 'pink', words: gitlabTerms },
      ).map(({ code }) => code);

    test.each<[string, readonly LogLine[], readonly string[]]>([
      ['a refused token', [lines.forbidden('01KAP7')], ['token_refused']],
      ['the runner disabled by its own checks', [lines.silenced(3)], ['token_refused']],
      ['the runner enabled by a reload', [lines.silenced(3), lines.loaded()], []],
      ['the network', [lines.failed(-1, 'connect ECONNREFUSED', '')], ['registry_unreachable']],
      [
        'a certificate',
        [lines.failed(-1, 'x509: certificate signed by unknown authority', '')],
        ['certificate_untrusted'],
      ],
      [
        'a GitLab that is unavailable',
        [lines.failed(503, '503 Service Unavailable', '')],
        ['registry_failing'],
      ],
      [
        'a GitLab that fails',
        [lines.failed(500, '500 Internal Server Error', '')],
        ['registry_failing'],
      ],
      [
        'a job that arrived',
        [
          lines.failed(500, '500 Internal Server Error', ''),
          lines.received({ id: 7, token: 'made-up' }),
        ],
        [],
      ],
    ])('reveals the problem: %s', (_, log, expected) => {
      expect(codes(...log)).toEqual(expected);
    });
  },
);

test.each([
  ['15.7.3', false, '15.8.0', 'sendsSystemId'],
  ['17.9.2', false, '17.10.0', 'wrapperForces'],
  ['18.2.1', false, '18.3.0', 'retriesRequests'],
  ['18.4.0', false, '18.5.0', 'twoPhaseCommit'],
  ['18.8.0', false, '18.9.0', 'jobInputs'],
  ['19.0.3', false, '19.1.0', 'processState'],
  ['19.1.2', false, '19.2.0', 'readiness'],
] as const)('%s lacks an ability (%s) that %s has: %s', (before, has, since, ability) => {
  expect([abilitiesOf(before)[ability], abilitiesOf(since)[ability]]).toEqual([has, true]);
});

test.each([
  ['14.7.0', 'glrt-t1_'],
  ['15.8.0', 't1_AbCdEf'],
  ['18.2.0', 'AbCdEfGhI'],
])('%s shortens its token to %s', (version, short) => {
  expect(shortToken({ token, version })).toBe(short);
});
