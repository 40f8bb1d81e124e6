import { describe, expect, test } from '@jest/globals';
import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../../src/domain/health/diagnose.ts';
import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';
import type { RegistryTerms } from '../../../src/domain/registry-terms.ts';

const url = 'https://gitlab.example.com/api/v4/jobs/request';
const made =
  'increasing instances response group=workers num_requested=1 num_successful=1 subsystem=taskscaler';
const received = 'Checking for jobs... received job=7 runner=AbCdEfGhI';
const succeeded = 'Job succeeded duration_s=2 job=7 runner=AbCdEfGhI';
const starts = 'Starting multi-runner from /etc/gitlab-runner/config.toml... builds=0';
const listens = '2026-11-06 08:00:00Z: Listening for Jobs';
const reconnected = '2026-11-06 08:00:00Z: Runner reconnected.';
const runs = '2026-11-06 08:00:00Z: Running job: build';
const works = '2026-11-06 08:00:00Z: Job build completed with result: Succeeded';
const scaling = (reason: string) =>
  `ERROR: increasing instances failure err=${reason} group=workers`;
const refused = (code: string, body: string) => [
  `Http response code: ${code} from 'POST https://api.github.com/actions/runner-registration' (Request Id: A:B)`,
  body,
];
const throttled =
  'operation error EC2: RunInstances, api error RequestLimitExceeded: Request limit exceeded.';
const subnet =
  'api error InsufficientFreeAddressesInSubnet: There are not enough free addresses in subnet subnet-0abc';
const zone =
  'api error InsufficientInstanceCapacity: We currently do not have sufficient m7i.large capacity in the Availability Zone you requested (eu-central-1a)';
const skewed =
  'An error occurred (RequestTimeTooSkewed) when calling the GetObject operation: The difference between the request time and the current time is too large.';

type Row = readonly [DiagnosisCode, readonly string[], readonly string[]];

/** Rows of a cause, the lines that show it, and the lines that each end it. */
const gitlab: readonly Row[] = [
  ['token_refused', ['ERROR: Checking for jobs... forbidden'], [received, succeeded, starts]],
  [
    'token_refused',
    [
      'ERROR: Error requesting a job error=rpc error: code = Unauthenticated desc = unauthenticated',
    ],
    [received, starts],
  ],
  [
    'token_absent',
    ['An error occurred (ParameterNotFound) when calling the GetParameter operation: '],
    [starts, received, succeeded],
  ],
  [
    'certificate_untrusted',
    [`WARNING: Checking for jobs... failed status=x509: certificate signed by unknown authority`],
    [received, succeeded],
  ],
  ['clock_off', [skewed], [starts, received]],
  ['aws_throttled', [scaling(throttled)], [made, starts]],
  ['aws_throttled', ['An error occurred (ThrottlingException): Rate exceeded'], [starts]],
  [
    'registry_failing',
    [`WARNING: Checking for jobs... failed status=POST ${url}: 500 Internal Server Error`],
    [received, starts],
  ],
  ['registry_failing', ['Checking for jobs... GitLab instance currently unavailable'], [received]],
  [
    'registry_failing',
    [
      '{"error":"rpc error: code = Internal desc = x","level":"error","msg":"Error requesting a job"}',
    ],
    [received],
  ],
  [
    'registry_unreachable',
    [`WARNING: Checking for jobs... failed status=Post "${url}": dial tcp: no such host`],
    [received, `Checking for jobs... failed status=POST ${url}: 200 OK`],
  ],
  [
    'address_wrong',
    [`WARNING: Checking for jobs... failed status=POST ${url}: 404 Not Found`],
    [received, starts],
  ],
  [
    'api_rate_limited',
    [`WARNING: Checking for jobs... failed status=POST ${url}: 429 Too Many Requests`],
    [received, starts],
  ],
  [
    'runner_orphaned',
    [`WARNING: Checking for jobs... failed status=POST ${url}: 422 Unprocessable Entity`],
    [received, starts],
  ],
  ['plugin_missing', ['running autoscaler plugin: loading fleeting plugin: not found'], [received]],
  ['subnet_full', [scaling(subnet)], [made]],
  ['zone_without_capacity', [scaling(zone)], [made]],
  [
    'worker_reclaimed',
    [
      'WARNING: Preparation failed: creating vm tunnel: connect: not supported on a terminated instance job=7',
    ],
    [succeeded, received, starts],
  ],
  [
    'executor_broken',
    ['ERROR: Preparation failed: Cannot connect to the Docker daemon job=7'],
    [succeeded, received, starts],
  ],
  [
    'workers_not_made',
    [scaling('VcpuLimitExceeded: you have requested more')],
    [made, received, succeeded, starts],
  ],
  [
    'workers_not_made',
    ['ERROR: Machine creation failed error=exit status 1 name=runner-abc-1 time=2m3s'],
    ['Machine created fields=1 name=runner-abc-2', received],
  ],
];

const everything = [listens, reconnected, runs, works];
const github: readonly Row[] = [
  [
    'registration_lost',
    ['Runner connect error: Registration 4711 was not found.. Retrying until reconnected.'],
    everything,
  ],
  [
    'registration_lost',
    ['Failed to create a session. The runner registration has been deleted from the server.'],
    everything,
  ],
  ['session_conflict', ['A session for this runner already exists.'], everything],
  [
    'session_conflict',
    ['Runner listener exit with Session Conflict error, stop the service, no retry needed.'],
    everything,
  ],
  [
    'session_conflict',
    ['actions-runner.service: Main process exited, code=exited, status=5/NOTINSTALLED'],
    everything,
  ],
  [
    'name_taken',
    ['A runner exists with the same name'],
    [...everything, 'Successfully replaced the runner', 'Runner successfully added'],
  ],
  [
    'api_rate_limited',
    refused('Forbidden', '{"message":"API rate limit exceeded for installation ID 1."}'),
    everything,
  ],
  [
    'address_refused',
    refused(
      'Forbidden',
      '{"message":"Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource."}',
    ),
    everything,
  ],
  ['token_refused', refused('Forbidden', '{"message":"Resource not accessible"}'), everything],
  [
    'token_absent',
    ['waiting: no token or no fleet of pink'],
    [
      listens,
      'Runner successfully added',
      'waiting: the fleet of pink is not open',
      'waiting: the token of pink has ended: GitHub takes none after an hour',
    ],
  ],
  [
    'version_ended',
    ['Runner version v2.330.0 is deprecated and cannot receive messages.'],
    everything,
  ],
  ['certificate_untrusted', ['tls: bad certificate'], everything],
  [
    'clock_off',
    [
      "The local machine's clock may be out of sync with the server time by more than five minutes.",
      'Runner connect error: The token is not valid. Current server time is 11/06/2026. Retrying until reconnected.',
    ],
    everything,
  ],
  ['aws_throttled', ['An error occurred (ThrottlingException): Rate exceeded'], everything],
  ['subnet_full', [subnet], everything],
  ['zone_without_capacity', [zone], everything],
  ['registry_failing', refused('ServiceUnavailable', '{}'), everything],
  [
    'registry_unreachable',
    ['Runner connect error: Name or service not known. Retrying until reconnected.'],
    everything,
  ],
  [
    'executor_broken',
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock'],
    everything,
  ],
];

function codesOf(words: RegistryTerms, log: readonly string[]): readonly string[] {
  const facts = { missing: [], reports: [{ id: 'i-0abc', process: 'running', log }] };
  return diagnose(facts, { runner: 'linux', shard: 'pink', words }).map(({ code }) => code);
}

describe.each([
  ['GitLab', gitlabTerms, gitlab],
  ['GitHub', githubTerms, github],
] as const)('the log of a runner of %s', (_, words, rows) => {
  test.each(rows)('%s is set by %j alone', (code, lines) => {
    expect(codesOf(words, lines)).toEqual([code]);
  });

  const pairs = rows.flatMap(([code, lines, ends]) =>
    ends.map((end) => [code, lines, end] as const),
  );
  test.each(pairs)('%s of %j ends with %j and not before that line', (code, lines, end) => {
    expect(codesOf(words, [...lines, end])).toEqual([]);
    expect(codesOf(words, [end, ...lines])).toEqual([code]);
  });

  test('each sign has a row that sets and clears it', () => {
    expect([...new Set(rows.map(([code]) => code))].sort()).toEqual(
      Object.keys(words.logSigns).sort(),
    );
  });
});

test('an unavailable or untrusted image registry is not reported as a problem of GitLab', () => {
  const failed = (reason: string) => [`WARNING: Preparation failed: ${reason} job=7`];
  expect(codesOf(gitlabTerms, failed('dial tcp 1.2.3.4:443: i/o timeout'))).toEqual([
    'executor_broken',
  ]);
  expect(codesOf(gitlabTerms, failed('x509: certificate signed by unknown authority'))).toEqual([
    'executor_broken',
  ]);
});

test('a refusal by the job router for another reason than the token is not a refused token', () => {
  const failing = 'ERROR: Error requesting a job error=rpc error: code = Internal desc = x';
  const silenced = 'ERROR: Runner "x" is unhealthy and will be disabled for 1h0m0s seconds!';
  expect(codesOf(gitlabTerms, [failing, failing, failing, silenced])).toEqual(['registry_failing']);
});
