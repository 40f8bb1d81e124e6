import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../src/domain/health/diagnose.ts';
import * as component from '../../src/errors/component-errors.ts';
import * as credentials from '../../src/errors/credential-errors.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as world from '../../src/errors/external-errors.ts';
import * as healthcheck from '../../src/errors/healthcheck-errors.ts';
import * as input from '../../src/errors/input-errors.ts';
import * as run from '../../src/errors/run-errors.ts';
import * as sandbox from '../../src/errors/sandbox-errors.ts';
import * as shards from '../../src/errors/shard-errors.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { candidateErrors } from './candidate-catalogue.ts';
import { drainCatalogue } from './drain-catalogue.ts';
import { outputErrors } from './output-catalogue.ts';
import { outsideErrors } from './outside-catalogue.ts';
import { bakeCatalogue, serviceCatalogue } from './service-catalogue.ts';
import { stateErrors } from './state-catalogue.ts';
import { takeoverErrors } from './takeover-catalogue.ts';
import { terraformErrors } from './terraform-catalogue.ts';

const runner = 'linux';
const anyPort = 'hosted-runner healthcheck --runner linux --listen 127.0.0.1:0';
const jobs = [
  'job 9000002 "build" of customers/shop, running for 32m 21s: https://gitlab.example.com/customers/shop/-/jobs/9000002',
];

const found = {
  account: '444455556666',
  arn: 'arn:aws:sts::444455556666:assumed-role/deploy/job',
  region: 'us-east-1',
};

/** Examples of every error with realistic values, and two if the text has branches. */
export const catalogue: readonly DeployError[] = [
  input.invalidConfiguration('hosted-runners.yml', ['3:5 stacks.linux.tags: expected a list']),
  input.invalidConfiguration('hosted-runners.yml', ['--set drain: unknown key'], ['flag']),
  input.invalidConfiguration('hosted-runners.yml', ['HOSTED_RUNNER_X: unknown'], ['environment']),
  input.configurationMissing('hosted-runners.yml'),
  input.unknownStack({
    shown: '"linx"',
    path: 'hosted-runners.yml',
    names: ['linux', 'windows'],
    suggestion: 'linux',
  }),
  ...['pink', undefined].map((suggestion) =>
    input.unknownShard({ shown: '"pnk"', runner, shards: ['pink', 'purple'], suggestion }),
  ),
  input.unsafeEnvironment([
    'AWS_ENDPOINT_URL_SSM: the URL of aws.example is not https; http is allowed for loopback addresses only.',
  ]),
  input.badUsage({
    what: 'There is no command "provison".',
    fix: [{ command: 'provision', runner: 'linux' }],
  }),
  input.fileExists('hosted-runners.yml'),
  component.stackNotAdded('hosted-runners.yml', 'it already contains the stack linux'),
  input.configurationExists('hosted-runners.yml', 'hosted-runners.new.yml'),
  input.moduleExists('infrastructure/', false),
  input.moduleExists('infrastructure/', true),
  component.componentInputRefused([
    'job_prefix: expected a letter or digit, then up to 62 letters, digits, _, ., : or -, found "a b".',
    'rules: rule 1 has "allow_failure", which would replace the "allow_failure" of each job.',
  ]),
  component.notStartedByHand('linux'),
  run.runUnknown({
    ci: 'gitlab',
    problems: [
      {
        variable: 'CI_PIPELINE_ID',
        expected: 'a number',
        fix: 'If a pipeline, schedule, project or group defines CI_PIPELINE_ID, remove that variable: GitLab sets it.',
      },
    ],
  }),
  run.runUnreadable({ run: 'o/r/actions/runs/1', reason: 'Not Found' }),
  sandbox.sandboxRunsAlready({ folder: '.hosted-runner/sandbox', url: 'http://127.0.0.1:4100' }),
  sandbox.sandboxPortTaken(4100),
  sandbox.runnerBinaryUnusable('/usr/bin/true'),
  sandbox.sandboxRefused({
    value: '99',
    target: 'the webhook',
    why: '✖ expected a status from 200 to 599, silent or malformed\n  → at says',
  }),
  sandbox.sandboxUnreachable('http://127.0.0.1:4100'),
  world.wrongAccount({ runner, found, expected: '111122223333' }),
  world.gitlabTooOld({ version: '17.4.2-ee', oldest: '17.5' }),
  world.wrongRegion({ runner, found, expected: 'eu-central-1' }),
  ...stateErrors,
  ...candidateErrors,
  ...[false, true].map((noChange) =>
    healthcheck.healthcheckTimedOut({
      runner,
      candidate: 'purple',
      within: '15m',
      checks: 91,
      reasons: ['no manager of runner 48214 has ever contacted GitLab'],
      diagnoses: [],
      noChange: noChange ? 'changed nothing' : undefined,
      inARow: 1,
      openMethods: ['terminate'],
    }),
  ),
  healthcheck.healthcheckTimedOut({
    runner,
    candidate: 'purple',
    within: '15m',
    checks: 9,
    reasons: ['canary job 901 failed on the candidate: script_failure'],
    diagnoses: [],
    noChange: undefined,
    inARow: 1,
    openMethods: ['replace', 'terminate'],
    canary: { failures: 2, url: 'https://gitlab.example.com/acme/canary/-/jobs/901' },
  }),
  healthcheck.healthcheckTimedOut({
    runner,
    candidate: 'purple',
    within: '2m (healthcheck.timeouts.manager)',
    checks: 24,
    reasons: ['no manager of runner 48214 has ever contacted GitLab'],
    diagnoses: diagnose(
      {
        missing: ['manager'],
        reports: [{ id: 'i-0abc', process: 'running', log: ['x509: signed by unknown authority'] }],
      },
      { runner, shard: 'purple', words: gitlabTerms },
    ),
    noChange: undefined,
    inARow: 1,
    openMethods: ['cleanup', 'terminate'],
  }),
  healthcheck.notHealthy({
    runner,
    shard: 'purple',
    status: 'unhealthy',
    reasons: ['the runner process is stopped on i-0abc'],
  }),
  healthcheck.endpointTimedOut({
    url: 'http://127.0.0.1:8888/health',
    reason: 'ECONNREFUSED',
    runner,
    address: '127.0.0.1:8888',
  }),
  healthcheck.addressTaken({ address: '127.0.0.1:8888', reason: 'EADDRINUSE', anyPort }),
  shards.healthInconclusive({
    runner,
    candidate: 'purple',
    within: '15m',
    reasons: ['the canary cannot be queried'],
    byHand: 'press Retry on hosted_runner_canary of pipeline 1-200',
  }),
  shards.canaryExposed({
    runner,
    candidate: 'purple',
    secrets: ['HOSTED_RUNNER_GITLAB_TOKEN', 'GITLAB_TOKEN'],
    url: 'https://gitlab.example.com/acme/runners/-/jobs/900',
    open: 'runner 48002',
  }),
  shards.retreated({ runner, candidate: 'purple', reasons: ['its host is gone'] }),
  shards.retreated({
    runner,
    candidate: 'purple',
    reasons: ['its host is gone'],
    inTheWay: 'runner 48214',
  }),
  shards.cleanupRefused({ runner, shard: 'purple', reason: 'purple was found unhealthy once' }),
  ...drainCatalogue({ runner, jobs }),
  shards.stopUnproven({ runner, shard: 'pink', stage: 'shutdown', reason: 'host i-0abc runs' }),
  shards.leftovers({
    runner,
    shard: 'pink',
    left: ['host i-0abc of pink'],
    byHand: '',
    stage: 'cleanup',
  }),
  shards.leftovers({
    runner,
    shard: 'pink',
    left: ['volume vol-0abc is left, because its data would be lost permanently'],
    byHand: 'When its data is no longer needed: aws ec2 delete-volume --volume-id vol-0abc',
    stage: 'cleanup',
  }),
  shards.sharedRegistration({ runner, id: '48213' }),
  ...serviceCatalogue(runner),
  ...takeoverErrors,
  ...outsideErrors,
  world.probesFailed(runner, ['scope api: 403 Forbidden', 'role: 403 Forbidden']),
  world.cancelled('provision', 'hosted-runner provision --runner linux'),
  world.cancelledUntouched('provision', 'hosted-runner provision --runner linux'),
  world.cancelledBeside('init', 'hosted-runner init'),
  world.bug('a text that nobody expected'),
  credentials.credentialsEnd({ runner: 'linux', stage: 'provision', left: 'expire in 1m 30s' }),
  credentials.credentialsEnded(
    new PortFailure({
      kind: 'ended',
      effect: 'none',
      source: 'SSM GetParameter /gitlab/dedicated/runner/linux/deployment_lock',
      detail: 'ExpiredTokenException: The security token included in the request is expired',
    }),
    'hosted-runner provision --runner linux',
  ),
  ...(
    [
      [
        'GitLab GET /runners/48001',
        'Token is expired. You can either do re-authorization.',
        'expired',
      ],
      ['GitLab GET /runners/48001', '401 Unauthorized', undefined],
      ['GitHub GET /orgs/acme/actions/runners', 'Bad credentials', undefined],
      ['SSM GetParameter /gitlab', 'Could not load credentials from any providers', 'absent'],
      ['SSM GetParameter /gitlab', 'ExpiredToken: The security token is expired', 'expired'],
    ] as const
  ).map(([source, detail, state]) =>
    credentials.credentialsRefused(
      new PortFailure({
        kind: 'unauthenticated',
        effect: 'none',
        source,
        detail,
        credentials: state,
      }),
      'hosted-runner prepare --runner linux',
    ),
  ),
  credentials.tokenMissing(),
  credentials.tokenMissing({ malformed: 'HOSTED_RUNNER_GITLAB_TOKEN' }),
  credentials.githubSecretMissing({ variable: 'HOSTED_RUNNER_GITHUB_TOKEN', parameter: undefined }),
  sandbox.sandboxUnknown(),
  ...outputErrors,
  ...bakeCatalogue,
  ...terraformErrors,
];
