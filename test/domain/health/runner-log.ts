import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';

/**
 * Lines of gitlab-runner, assembled from its source at the tags named: the formatter `runner`
 * (log/runner_formatter.go: colours always, 50 columns, sorted fields), `text` and `json` (logrus).
 * Lines of 14.7 were captured from a build of that tag.
 */
export const url = 'https://gitlab.example.com/api/v4/jobs/request';
export const jobs = 'Checking for jobs...';

type Level = 'info' | 'warning' | 'error';
const colours = { info: '', warning: '\u001b[0;33m', error: '\u001b[31;1m' };
const prefixes = { info: '', warning: 'WARNING: ', error: 'ERROR: ' };

/** The default format. */
export function coloured(
  level: Level,
  message: string,
  fields: Record<string, string> = {},
): string {
  const [colour, prefix] = [colours[level], prefixes[level]];
  const pairs = Object.entries(fields).map(([key, value]) => ` ${colour}${key}\u001b[0;m=${value}`);
  return `${colour}${prefix}${message.padEnd(50 - prefix.length)}\u001b[0;m ${pairs.join('')}`;
}

export function json(level: Level, msg: string, fields: Record<string, string> = {}): string {
  const time = '2026-11-22T16:00:00.123456789Z';
  return JSON.stringify(Object.fromEntries(Object.entries({ ...fields, level, msg, time }).sort()));
}

export function text(level: Level, msg: string, fields: Record<string, string> = {}): string {
  const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `time="2026-11-22T16:00:00Z" level=${level} msg=${JSON.stringify(msg)}${pairs.join('')}`;
}

/** Returns a request without a response, in the forms up to 18.2 and from 18.3 on. */
export const posted = (reason: string) =>
  `couldn't execute POST against ${url}: Post "${url}": ${reason}`;
export const executed = (reason: string) =>
  `execute JSON request: execute request: ${posted(reason)}`;
export const ids = { runner: 'AbCdEfGhI' };
export const newIds = {
  correlation_id: '01KAP7Z5X9V6T7Y8W3Q2R1S0N4',
  ...ids,
  runner_name: 'pink-linux',
};

export const authority = 'x509: certificate signed by unknown authority';
export const expired =
  'x509: certificate has expired or is not yet valid: current time 2026-11-22T16:00:00Z is after 2026-11-01T00:00:00Z';
export const byTls = (reason: string) => `tls: failed to verify certificate: ${reason}`;
export const refusedConnection = 'dial tcp 10.0.12.34:443: connect: connection refused';
const noHost = 'dial tcp: lookup gitlab.example.com on 10.0.0.2:53: no such host';
const daemon =
  'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?';
const api =
  'failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory';
const prepared = (reason: string) => `Preparation failed: ${reason} (docker.go:820:0s)`;
/** Versions, the line, and the diagnoses that it indicates. */
export const eras: readonly (readonly [string, string, readonly DiagnosisCode[]])[] = [
  ['14.0 to 16.4.1', coloured('error', `${jobs} forbidden`, ids), ['token_refused']],
  [
    '16.5 to 18.5',
    coloured('error', `${jobs} forbidden`, { ...ids, status: `POST ${url}: 403 Forbidden` }),
    ['token_refused'],
  ],
  [
    '18.6 and later',
    coloured('error', `${jobs} forbidden`, { ...newIds, status: `POST ${url}: 403 Forbidden` }),
    ['token_refused'],
  ],
  [
    '18.6 and later, json',
    json('error', `${jobs} forbidden`, { ...newIds, status: `POST ${url}: 403 Forbidden` }),
    ['token_refused'],
  ],
  ['16.5 and later, text', text('error', `${jobs} forbidden`, ids), ['token_refused']],
  [
    '14.0 to 15.6.2',
    coloured(
      'error',
      'Runner https://gitlab.example.comAbCdEfGhIjKlMnOpQrSt is not healthy and will be disabled!',
    ),
    ['token_refused'],
  ],
  [
    '15.7 and later',
    coloured(
      'error',
      'Runner "https://gitlab.example.comAbCdEfGhI" is unhealthy and will be disabled for 1h0m0s seconds!',
      { unhealthy_requests: '3', unhealthy_requests_limit: '3' },
    ),
    ['token_refused'],
  ],
  [
    '15.7 and later, json',
    json(
      'error',
      'Runner "https://gitlab.example.comAbCdEfGhI" is unhealthy and will be disabled for 1h0m0s seconds!',
    ),
    ['token_refused'],
  ],
  [
    '14.0 to 15.x, Go 1.19',
    coloured('warning', `${jobs} failed`, { ...ids, status: posted(authority) }),
    ['certificate_untrusted'],
  ],
  [
    '16.0 to 18.2, Go 1.20',
    coloured('warning', `${jobs} failed`, { ...ids, status: posted(byTls(authority)) }),
    ['certificate_untrusted'],
  ],
  [
    '18.6 and later',
    coloured('warning', `${jobs} failed`, { ...newIds, status: executed(byTls(authority)) }),
    ['certificate_untrusted'],
  ],
  [
    '18.6 and later, json',
    json('warning', `${jobs} failed`, { ...newIds, status: executed(byTls(authority)) }),
    ['certificate_untrusted'],
  ],
  [
    '14.0 to 15.x, Go 1.19',
    coloured('warning', `${jobs} failed`, { ...ids, status: posted(expired) }),
    ['certificate_untrusted', 'clock_off'],
  ],
  [
    '18.6 and later',
    coloured('warning', `${jobs} failed`, { ...newIds, status: executed(byTls(expired)) }),
    ['certificate_untrusted', 'clock_off'],
  ],
  [
    '18.6 and later, text',
    text('warning', `${jobs} failed`, { ...newIds, status: executed(byTls(expired)) }),
    ['certificate_untrusted', 'clock_off'],
  ],
  [
    '14.0 to 18.2',
    coloured('warning', `${jobs} failed`, { ...ids, status: posted(refusedConnection) }),
    ['registry_unreachable'],
  ],
  [
    '14.0 to 18.2',
    coloured('warning', `${jobs} failed`, { ...ids, status: posted(noHost) }),
    ['registry_unreachable'],
  ],
  ...[
    refusedConnection,
    noHost,
    'dial tcp 10.0.12.34:443: i/o timeout',
    'dial tcp 10.0.12.34:443: connect: network is unreachable',
    'dial tcp 10.0.12.34:443: connect: no route to host',
    'net/http: TLS handshake timeout',
    'read tcp 10.0.0.9:41234->10.0.12.34:443: read: connection reset by peer',
    'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    'EOF',
  ].flatMap((reason) => [
    [
      '18.6 and later',
      coloured('warning', `${jobs} failed`, { ...newIds, status: executed(reason) }),
      ['registry_unreachable'],
    ] as const,
    [
      '18.6 and later, json',
      json('warning', `${jobs} failed`, { ...newIds, status: executed(reason) }),
      ['registry_unreachable'],
    ] as const,
  ]),
  [
    'to 19.1',
    coloured('warning', prepared(daemon), { job: '7', project: '1' }),
    ['executor_broken'],
  ],
  [
    '19.2 and later',
    coloured('warning', prepared(api), { job: '7', project: '1' }),
    ['executor_broken'],
  ],
  ['19.2 and later, json', json('warning', prepared(api), { job: '7' }), ['executor_broken']],
  [
    '15.6 and later',
    coloured('error', 'Executor "instnce" is not known; marking Runner as unhealthy', {
      builds: '0',
    }),
    ['executor_broken'],
  ],
  [
    'all, an image out of reach',
    coloured(
      'warning',
      prepared('Get "https://registry-1.docker.io/v2/": dial tcp 1.2.3.4:443: i/o timeout'),
    ),
    ['executor_broken'],
  ],
  [
    '19.1 and later',
    coloured(
      'warning',
      'Runner token is empty or whitespace; this runner will be skipped during job polling. Check the token',
    ),
    ['token_absent'],
  ],
  // Lines of the AWS CLI, by botocore's ClientError.MSG_TEMPLATE. The unit reads the token before
  // the runner starts.
  [
    'AWS CLI, no token',
    'An error occurred (ParameterNotFound) when calling the GetParameter operation: ',
    ['token_absent'],
  ],
  [
    'AWS CLI, a role that may not',
    'An error occurred (AccessDeniedException) when calling the GetParameter operation: User: arn:aws:sts::123456789012:assumed-role/pink/i-0abc is not authorized to perform: ssm:GetParameter on resource: arn:aws:ssm:eu-west-1:123456789012:parameter/gitlab/pink/runner_token',
    ['token_absent'],
  ],
  [
    'AWS CLI, a clock that is behind',
    'An error occurred (InvalidSignatureException) when calling the GetParameter operation: Signature expired: 20261122T150000Z is now earlier than 20261122T155500Z (20261122T160000Z - 5 min.)',
    ['clock_off'],
  ],
  [
    'AWS CLI, a clock that is ahead',
    'An error occurred (InvalidSignatureException) when calling the GetParameter operation: Signature not yet current: 20261122T170000Z is still later than 20261122T160500Z (20261122T160000Z + 5 min.)',
    ['clock_off'],
  ],
  [
    '18.3 and later',
    coloured('warning', `${jobs} GitLab instance currently unavailable`, newIds),
    ['registry_failing'],
  ],
  [
    'AWS CLI, a clock far off',
    'An error occurred (RequestTimeTooSkewed) when calling the GetObject operation: The difference between the request time and the current time is too large.',
    ['clock_off'],
  ],
  ['all', coloured('info', `${jobs} received`, { job: '1', repo_url: 'https://x/y.git' }), []],
  ['all', coloured('info', 'Configuration loaded', { builds: '0', max_builds: '10' }), []],
];
