import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatLine, type LogFormat, type LogLine } from '../../../sandbox/manager/log-format.ts';
import { wholeLine } from '../../../src/adapters/aws/line-text.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../../src/domain/health/diagnose.ts';
import { causeLines } from '../../../src/domain/text/log-line.ts';

const captured = (name: string) =>
  readFileSync(`test/fixtures/gitlab-runner-19.4.0/${name}.log`, 'utf8').split('\n');
/** Reads a log line as the host check returns it. */
const handed = (line: string) => wholeLine(line, (text) => text);
const at = new Date('2026-11-22T16:00:00.123Z');

const failedJob = [
  'WARNING: custom executor not configured',
  'WARNING: Job failed: custom executor not configured failure_reason=runner_configuration_error',
];

describe('a log that gitlab-runner 19.4.0 wrote', () => {
  test.each<[string, readonly string[]]>([
    ['failed-job', failedJob],
    [
      'forced-shutdown-timed-out',
      [
        'WARNING: Checking for jobs... failed status=execute JSON request: execute request: couldn\'t execute POST against https://gitlab.example.com/api/v4/jobs/request: Post "https://gitlab.example.com/api/v4/jobs/request": context canceled',
        'WARNING: Forceful shutdown not finished properly error=shutdown timed out',
        'ERROR: Service run failed error=shutdown timed out',
      ],
    ],
  ])('lines with the cause are quoted without ids and checksums: %s', (name, expected) => {
    const lines = causeLines(captured(name).map(handed), 3);
    expect(lines).toEqual(expected);
    expect(lines.join(' ')).not.toMatch(
      /correlation_id|checksum|bytesize|project_full_path|max_builds/,
    );
  });
});

const about = { job: 7, correlation_id: '01KAP7', runner: 'AbCdEfGhI', project: 102 };
const failing: readonly LogLine[] = [
  { level: 'info', message: 'Checking for jobs... received', fields: { ...about, job: 6 } },
  { level: 'warning', message: 'Job failed: of another job', fields: { ...about, job: 6 } },
  { level: 'info', message: 'Checking for jobs... received', fields: about },
  {
    level: 'warning',
    message: 'Job failed: no "such" image',
    fields: {
      ...about,
      error: 'no "such" image',
      failure_reason: 'runner_system_failure',
      exit_code: 0,
    },
  },
  {
    level: 'info',
    message: 'Updating job...',
    fields: { ...about, checksum: 'crc32:1', bytesize: 9 },
  },
  {
    level: 'warning',
    message: 'Submitting job to coordinator... job failed',
    fields: { ...about, checksum: 'crc32:1', status: '200 OK' },
  },
  { level: 'info', message: 'Removed job from processing list', fields: about },
];
const prefixes = [
  '',
  'Nov 22 16:00:00 ip-10-0-0-9 gitlab-runner[811]: ',
  '2026-11-22T16:00:00.123456789Z ',
];
const formats: readonly LogFormat[] = ['runner', 'text', 'json'];

test.each(formats.flatMap((format) => prefixes.map((prefix) => [format, prefix] as const)))(
  'lines in the format %s with the prefix %j are quoted by level and by job',
  (format, prefix) => {
    const log = failing.map((line) => handed(`${prefix}${formatLine(line, { format, at })}`));
    expect(causeLines(log, 3)).toEqual([
      'WARNING: Job failed: no "such" image failure_reason=runner_system_failure',
    ]);
  },
);

test.each<[string, readonly string[], readonly string[]]>([
  [
    "the error of GitHub's listener",
    [
      '2026-11-06 08:00:00Z: Listening for Jobs',
      '2026-11-06 08:00:07Z: Runner connect error: Registration 4711 was not found.. Retrying until reconnected.',
      '2026-11-06 08:01:00Z: Runner version: 2.336.0',
    ],
    ['Runner connect error: Registration 4711 was not found.. Retrying until reconnected.'],
  ],
  [
    'the end of a log without errors',
    ['one', '', 'two', 'three', 'four'],
    ['two', 'three', 'four'],
  ],
  [
    'a repeated line, once,',
    ['ERROR: no such host', 'Nov 22 16:00:03 ip-10 gitlab-runner[8]: ERROR: no such host'],
    ['ERROR: no such host (2 times)'],
  ],
  [
    'a result that could not be submitted',
    [
      'WARNING: Submitting job to coordinator... failed checksum=crc32:1 job=7 status=502 Bad Gateway',
    ],
    ['WARNING: Submitting job to coordinator... failed status=502 Bad Gateway'],
  ],
  [
    'the reason of a refused address',
    [
      "Http response code: Forbidden from 'POST https://api.github.com/orgs/acme/actions/runners/registration-token'",
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled.',
    ],
    [
      "Http response code: Forbidden from 'POST https://api.github.com/orgs/acme/actions/runners/registration-token'",
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled.',
    ],
  ],
  [
    'the report of systemd about the end of a unit',
    [
      'Nov 22 16:00:03 ip-10 systemd[1]: gitlab-runner.service: Main process exited, code=exited, status=1/FAILURE',
      'Nov 22 16:00:04 ip-10 systemd[1]: Started GitLab Runner.',
    ],
    ['gitlab-runner.service: Main process exited, code=exited, status=1/FAILURE'],
  ],
])('%s is quoted', (_, log, expected) => {
  expect(causeLines(log, 3)).toEqual(expected);
});

test.each(formats)(
  'a later warning of another job does not hide the failure of a job, in the format %s',
  (format) => {
    const lines: readonly LogLine[] = [
      {
        level: 'warning',
        message: 'Job failed (system failure): no space left',
        fields: { job: 9 },
      },
      {
        level: 'warning',
        message: 'Appending trace to coordinator... failed',
        fields: { job: 10 },
      },
    ];
    const log = lines.map((line) => handed(formatLine(line, { format, at })));
    expect(causeLines(log, 3)).toEqual(['WARNING: Job failed (system failure): no space left']);
  },
);

describe('a log with mixed lines of several jobs', () => {
  const lines: readonly LogLine[] = [
    { level: 'warning', message: 'Failed to pull image', fields: { job: 7 } },
    { level: 'warning', message: 'Ignoring malformed timeout', fields: { job: 8 } },
    {
      level: 'warning',
      message: 'Job failed: image not found:\nno such manifest\nsee the registry',
      fields: { job: 7 },
    },
    { level: 'error', message: 'Job failed (system failure): no space left', fields: { job: 8 } },
    { level: 'error', message: 'Checking for jobs... forbidden', fields: { runner: 'AbC' } },
    { level: 'warning', message: 'Checking for jobs... failed', fields: { runner: 'AbC' } },
  ];
  const log = (format: LogFormat) =>
    lines.flatMap((line) => formatLine(line, { format, at }).split('\n').map(handed));

  test.each(formats)('yields the lines of the named job, in the format %s', (format) => {
    expect(causeLines(log(format), 3, { job: '7' })).toEqual([
      'WARNING: Failed to pull image',
      'WARNING: Job failed: image not found: no such manifest',
      'ERROR: Checking for jobs... forbidden',
    ]);
  });

  test.each(formats)('yields the lines of the job that failed last, in the format %s', (format) => {
    const expected = [
      'WARNING: Ignoring malformed timeout',
      'ERROR: Job failed (system failure): no space left',
      'ERROR: Checking for jobs... forbidden',
    ];
    expect(causeLines(log(format), 3)).toEqual(expected);
    expect(causeLines(log(format), 3, { job: '99' })).toEqual(expected);
  });
});

test.each([
  ['Go', 'panic: runtime error: invalid memory address or nil pointer dereference'],
  ['Go, by its scheduler', 'fatal error: concurrent map writes'],
  ['.NET', 'Unhandled exception. System.IO.IOException: No space left on device'],
])('the crash of a program is quoted before the warnings of its next start (%s)', (_, crash) => {
  const warnings = ['one', 'two', 'three', 'four'].map(
    (text) => `WARNING: CONFIGURATION: ${text} builds=0 max_builds=4`,
  );
  const trace = ['goroutine 1 [running]:', 'main.main()', '/builds/main.go:12 +0x1d'];
  const log = [crash, ...trace, 'Runtime platform arch=amd64 pid=7', ...warnings];
  expect(causeLines(log, 3)).toEqual([
    `ERROR: ${crash}`,
    'WARNING: CONFIGURATION: three',
    'WARNING: CONFIGURATION: four',
  ]);
});

test.each([
  ['runner', 'FATAL: Service run failed error=shutdown timed out'],
  ['text with colours', 'FATA[0007] Service run failed error=shutdown timed out'],
  [
    'text',
    'time="2026-11-22T16:00:00Z" level=fatal msg="Service run failed" error="shutdown timed out"',
  ],
  ['json', '{"error":"shutdown timed out","level":"fatal","msg":"Service run failed"}'],
])('an entry that ends the runner is an error, in the format %s', (_, line) => {
  expect(causeLines(['WARNING: one builds=0', line], 1)).toEqual([
    'ERROR: Service run failed error=shutdown timed out',
  ]);
});

test('the name of a job is never quoted as a cause', () => {
  const log = [
    '2026-11-06 08:00:00Z: Running job: fix the failing tests',
    '2026-11-06 08:00:07Z: Job fix the failing tests completed with result: Succeeded',
    '2026-11-06 08:00:09Z: Runner connect error: Connection refused. Retrying until reconnected.',
  ];
  expect(causeLines(log, 3)).toEqual([
    'Runner connect error: Connection refused. Retrying until reconnected.',
  ]);
});

test.each(formats)('a diagnosis quotes its line message first, in the format %s', (format) => {
  const status = 'POST https://gitlab.example.com/api/v4/jobs/request: 403 Forbidden';
  const line: LogLine = {
    level: 'error',
    message: 'Checking for jobs... forbidden',
    fields: { correlation_id: '01KAP7', runner: 'AbCdEfGhI', status },
  };
  const log = [handed(formatLine(line, { format, at }))];
  const [found] = diagnose(
    { missing: [], reports: [{ id: 'i-1', process: 'running', log }] },
    { runner: 'linux', shard: 'pink', words: gitlabTerms },
  );
  expect(found?.seen).toBe(`"ERROR: Checking for jobs... forbidden status=${status}"`);
});
