import { describe, expect, test } from '@jest/globals';
import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../../src/domain/health/diagnose.ts';
import type { RegistryTerms } from '../../../src/domain/registry-terms.ts';
import { gitHubLines, type Line, noRole } from './neighbour-lines.ts';

const api = 'https://gitlab.example.com/api/v4';
const ids = 'correlation_id=01KAP7 runner=AbCdEfGhI runner_name=docker-pull';
const noConnection = 'dial tcp 10.0.12.34:443: connect: connection refused';
const untrusted =
  'tls: failed to verify certificate: x509: certificate signed by unknown authority';
const ended =
  'x509: certificate has expired or is not yet valid: current time 2026-11-22T16:00:00Z is after 2026-11-01T00:00:00Z';
const posted = (reason: string) =>
  `status=execute JSON request: execute request: couldn't execute POST against ${api}/jobs/request: Post "${api}/jobs/request": ${reason}`;

/** Lines of gitlab-runner 19.4, its plugins, docker-machine and the AWS CLI, without colours. */
const ofGitLab: readonly Line[] = [
  // A name that users choose neither hides a cause nor is one.
  [`WARNING: Checking for jobs... failed ${ids} ${posted(noConnection)}`, ['registry_unreachable']],
  [`WARNING: Checking for jobs... failed ${ids} ${posted(untrusted)}`, ['certificate_untrusted']],
  [
    'WARNING: Submitting job to coordinator... failed code=-1 job=7 job-status= runner_name=x509: status=502 Bad Gateway',
    [],
  ],
  [
    'Checking for jobs... received job=7 repo_url=https://gitlab.example.com/acme/docker.git runner_name=Preparation-failed',
    [],
  ],
  [
    'Added job to processing list builds=1 job=7 project_full_path=acme/parameternotfound namespace_id=0',
    [],
  ],
  // Lines about other hosts than GitLab.
  [
    'WARNING: Preparation failed: Get "https://registry-1.docker.io/v2/": dial tcp 1.2.3.4:443: i/o timeout job=7',
    ['executor_broken'],
  ],
  [
    `WARNING: Preparation failed: Get "https://registry.acme.com/v2/": ${ended} job=7`,
    ['executor_broken'],
  ],
  [`WARNING: Job failed (system failure): prepare environment: ${untrusted} job=7`, []],
  [
    'ERROR: Error creating machine: Error checking the host: Error checking and/or regenerating the certs: x509: certificate is valid for 10.0.0.1, not 10.0.0.2 driver=amazonec2 name=runner-1 operation=create',
    ['workers_not_made'],
  ],
  [
    'ERROR: Sentry failure error=Post "https://sentry.acme.com/api/1/store/": dial tcp: lookup sentry.acme.com: no such host builds=0',
    [],
  ],
  [
    'ERROR: Failed to send snowplow_billing usage events error=dial tcp 1.2.3.4:443: i/o timeout',
    [],
  ],
  [
    `ERROR: Failed to create listener for metrics server error=listen tcp 127.0.0.1:9252: bind: address already in use`,
    [],
  ],
  ['ERROR: dial tcp 10.0.0.1:22: connect: connection refused', []],
  // Requests for a new job.
  [
    `ERROR: Checking for jobs... forbidden ${ids} status=POST ${api}/jobs/request: 403 Forbidden (403 Forbidden - Runner token expired)`,
    ['token_refused'],
  ],
  [
    `WARNING: Checking for jobs... GitLab instance currently unavailable ${ids} status=POST ${api}/jobs/request: 503 Service Unavailable`,
    ['registry_failing'],
  ],
  ...['500 Internal Server Error', '502 Bad Gateway', '408 Request Timeout', '425 Too Early'].map(
    (status): Line => [
      `WARNING: Checking for jobs... failed ${ids} status=POST ${api}/jobs/request: ${status}`,
      ['registry_failing'],
    ],
  ),
  [
    `WARNING: Checking for jobs... failed ${ids} status=POST ${api}/jobs/request: 401 Unauthorized`,
    ['address_wrong'],
  ],
  [`WARNING: Checking for jobs... failed ${ids} ${posted('context canceled')}`, []],
  [`WARNING: Checking for jobs... failed ${ids} ${posted('EOF')}`, ['registry_unreachable']],
  [
    `WARNING: Checking for jobs... failed ${ids} ${posted('context deadline exceeded (Client.Timeout exceeded while awaiting headers)')}`,
    ['registry_unreachable'],
  ],
  [`ERROR: Checking for jobs... client error ${ids} status=get client: parse URL`, []],
  ...(
    [
      ['1m0s', 'POST', true],
      ['59.123456s', 'POST', true],
      ['3.5s', 'POST', true],
      ['1.6s', 'POST', false],
      ['210.5ms', 'POST', false],
      ['1m0s', 'PATCH', false],
    ] as const
  ).map(
    ([duration, method, isSet]): Line => [
      `Waiting before making the next call context=ratelimit-requester-gitlab-request duration=${duration} method=${method} url=${api}/jobs/request`,
      isSet ? ['registry_failing'] : [],
    ],
  ),
  [
    `{"context":"ratelimit-requester-gitlab-request","duration":60000000000,"level":"info","method":"POST","msg":"Waiting before making the next call","time":"2026-11-22T16:00:00Z","url":"${api}/jobs/request"}`,
    ['registry_failing'],
  ],
  // Requests about a running job.
  [`WARNING: Appending trace to coordinator... job failed job=7 status=403 Forbidden`, []],
  [`WARNING: Submitting job to coordinator... not found job=7 status=404 Not Found`, []],
  [
    `ERROR: Appending trace to coordinator... error couldn't execute PATCH against ${api}/jobs/7/trace: ${noConnection}`,
    ['registry_unreachable'],
  ],
  // Lines of the job router.
  ['ERROR: Error requesting a job error=rpc error: code = Canceled desc = context canceled', []],
  [
    'ERROR: Error requesting a job error=rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.0.0.4:443: i/o timeout"',
    ['registry_unreachable'],
  ],
  [
    `ERROR: Error requesting a job error=rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: ${untrusted}"`,
    ['certificate_untrusted'],
  ],
  [
    'ERROR: Error requesting a job error=rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    ['registry_failing'],
  ],
  ['Job router is disabled, falling back to direct job requests builds=0', []],
  // Lines about workers.
  [
    'ERROR: instance unexpectedly removed instance=i-0abc max-use-count=9999 runner=XYZ slots=map[] subsystem=taskscaler used=45',
    ['worker_reclaimed'],
  ],
  [
    'WARNING: Job failed (system failure): error during connect: Post "http://internal.tunnel.invalid/v1.43/containers/xyz/wait?condition=not-running": ssh tunnel: EOF () job=7',
    ['worker_reclaimed'],
  ],
  [
    'ERROR: increasing instances failure err=rpc error: code = Unknown desc = increase instances: operation error Auto Scaling: SetDesiredCapacity, https response error StatusCode: 400, api error Throttling: Rate exceeded group=aws/eu/docker',
    ['aws_throttled'],
  ],
  [
    `ERROR: increasing instances failure err=operation error Auto Scaling: SetDesiredCapacity, api error AccessDenied: ${noRole}: autoscaling:SetDesiredCapacity group=workers`,
    ['workers_not_made'],
  ],
  [
    'ERROR: Error creating machine: Error in driver during machine creation: Error launching instance: InsufficientInstanceCapacity: We currently do not have sufficient m7i.large capacity driver=amazonec2 name=runner-1',
    ['zone_without_capacity'],
  ],
  [
    'ERROR: Error creating machine: Error in driver during machine creation: Error launching instance: MaxSpotInstanceCountExceeded: Max spot instance count exceeded driver=amazonec2',
    ['workers_not_made'],
  ],
  [
    'ERROR: Error creating machine: Error in driver during machine creation: Error launching instance: Unsupported: Your requested instance type (m7g.large) is not supported in your requested Availability Zone (us-east-1e). driver=amazonec2 name=runner-1',
    ['zone_without_capacity'],
  ],
  [
    'ERROR: increasing instances failure err=operation error EC2: CreateFleet, api error SpotMaxPriceTooLow: Your Spot request price of 0.01 is lower than the minimum required group=workers',
    ['zone_without_capacity'],
  ],
  [
    'ERROR: increasing instances failure err=RequestThrottledException: slow down group=workers',
    ['aws_throttled'],
  ],
  ['WARNING: Waited for 1.2s due to client-side throttling, not priority and fairness job=7', []],
  ['increase update group=workers pending=1 requesting=0 subsystem=taskscaler total_pending=1', []],
  ['WARNING: instance pruned id=i-0abc missed_updates=3 subsystem=taskscaler', []],
  // Warnings of a runner without a defect.
  ['WARNING: CONFIGURATION: Long polling issues detected.', []],
  [
    'WARNING: Failed to pull image with policy "always": toomanyrequests: You have reached your pull rate limit. job=7',
    [],
  ],
  [
    'WARNING: Job failed: exit status 1 duration_s=2 error=exit status 1 exit_code=1 failure_reason=script_failure job=7',
    [],
  ],
  [
    'WARNING: Starting graceful shutdown, waiting for builds to finish StopSignal=quit builds=1',
    [],
  ],
  [
    'FATAL: Service run failed error=toml: cannot load TOML value of type int64 into a Go float',
    [],
  ],
  // Lines of the AWS CLI before the runner's start.
  [
    `An error occurred (AccessDeniedException) when calling the GetParameter operation: ${noRole}: ssm:GetParameter on resource: arn:aws:ssm:eu:1:parameter/gitlab/pink/runner_token`,
    ['token_absent'],
  ],
  [
    `An error occurred (AccessDeniedException) when calling the DescribeTags operation: ${noRole}: ec2:DescribeTags`,
    [],
  ],
  [
    'operation error SSM: GetParameter, https response error StatusCode: 400, api error AccessDeniedException: no',
    ['token_absent'],
  ],
  [
    'An error occurred (ExpiredTokenException) when calling the GetParameter operation: The security token included in the request is expired',
    [],
  ],
  [
    'An error occurred (ThrottlingException) when calling the GetParameter operation (reached max retries: 2): Rate exceeded',
    ['aws_throttled'],
  ],
];

function codesOf(words: RegistryTerms, ...log: readonly string[]): readonly string[] {
  const facts = { missing: [], reports: [{ id: 'i-0abc', process: 'running', log }] };
  return diagnose(facts, { runner: 'linux', shard: 'pink', words }).map(({ code }) => code);
}

const journal = '2026-11-22T16:00:00+0000 docker-host-1 gitlab-runner[811]: ';
const docker = '2026-11-22T16:00:00.123456789Z ';

describe('a log line with a single cause or none', () => {
  test.each(ofGitLab)('means the same behind any prefix, from GitLab: %s', (line, codes) => {
    expect(codesOf(gitlabTerms, line)).toEqual(codes);
    expect(codesOf(gitlabTerms, `${journal}${line}`)).toEqual(codes);
    expect(codesOf(gitlabTerms, `${docker}${line}`)).toEqual(codes);
  });

  test.each(gitHubLines)('means the same behind any prefix, from GitHub: %s', (line, codes) => {
    expect(codesOf(githubTerms, line)).toEqual(codes);
    expect(codesOf(githubTerms, `${journal}${line}`)).toEqual(codes);
  });
});

test.each([
  ['500 Internal Server Error', 'registry_failing'],
  ['422 Unprocessable Entity', 'runner_orphaned'],
  ['404 Not Found', 'address_wrong'],
  ['429 Too Many Requests', 'api_rate_limited'],
])('the later of two statuses of a job request counts: %s', (status, code) => {
  const failed = (given: string) =>
    `Checking for jobs... failed status=POST ${api}/jobs/request: ${given}`;
  for (const other of ['409 Conflict', '422 Unprocessable Entity', '410 Gone']) {
    const before = codesOf(gitlabTerms, failed(other));
    expect(before).toHaveLength(1);
    expect(codesOf(gitlabTerms, failed(other), failed(status))).toEqual([code]);
    expect(codesOf(gitlabTerms, failed(status), failed(other))).toEqual(before);
  }
});
