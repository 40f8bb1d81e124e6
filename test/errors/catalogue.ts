import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../src/domain/health/diagnose.ts';
import * as component from '../../src/errors/component-errors.ts';
import * as credentials from '../../src/errors/credential-errors.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as world from '../../src/errors/external-errors.ts';
import * as healthcheck from '../../src/errors/healthcheck-errors.ts';
import * as input from '../../src/errors/input-errors.ts';
import * as lock from '../../src/errors/lock-errors.ts';
import * as run from '../../src/errors/run-errors.ts';
import * as sandbox from '../../src/errors/sandbox-errors.ts';
import * as shards from '../../src/errors/shard-errors.ts';
import * as state from '../../src/errors/state-errors.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { candidateErrors } from './candidate-catalogue.ts';
import { drainCatalogue } from './drain-catalogue.ts';
import { outputErrors } from './output-catalogue.ts';
import { outsideErrors } from './outside-catalogue.ts';
import { bakeCatalogue, serviceCatalogue } from './service-catalogue.ts';
import { takeoverErrors } from './takeover-catalogue.ts';
import { terraformErrors } from './terraform-catalogue.ts';

const runner = 'linux';
const held = { runner, stage: 'provision', reason: 'job 7001 runs', isAlive: true };
const anyPort = 'hosted-runner healthcheck --runner linux --listen 127.0.0.1:0';
const parameter = '/gitlab/dedicated/runner/linux/deployment_record';
const jobs = [
  'job 9000002 "build" of customers/shop, running for 32m 21s: https://gitlab.example.com/customers/shop/-/jobs/9000002',
];
const table = 'shard   deployment_status\npink    active\npurple  inactive';

const found = {
  account: '444455556666',
  arn: 'arn:aws:sts::444455556666:assumed-role/deploy/job',
  region: 'us-east-1',
};

/** Every error of the product once, with values as they are seen; two where the text forks. */
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
  input.configurationExists('hosted-runners.yml', 'hosted-runners.new.yml'),
  input.moduleExists('infrastructure/', false),
  input.moduleExists('infrastructure/', true),
  component.componentInputRefused([
    'job_prefix: expected up to 63 letters, digits and _.:-, the first a letter or digit, found "a b".',
    'rules: rule 1 has "allow_failure", in the place of each job\'s own.',
  ]),
  component.notStartedByHand('linux'),
  run.runUnknown({
    ci: 'gitlab',
    problems: [
      {
        variable: 'CI_PIPELINE_ID',
        expected: 'a number',
        fix: 'GitLab sets CI_PIPELINE_ID itself: remove the variable CI_PIPELINE_ID from the pipeline, its schedule, the project and the group.',
      },
    ],
  }),
  run.runUnreadable({ run: 'o/r/actions/runs/1', reason: 'Not Found' }),
  sandbox.sandboxRunsAlready({ folder: '.hosted-runner/sandbox', url: 'http://127.0.0.1:4100' }),
  sandbox.sandboxPortTaken(4100),
  sandbox.runnerBinaryUnusable('/usr/bin/true'),
  sandbox.sandboxRefused({ says: '99', why: '✖ expected a status\n  → at says' }),
  sandbox.sandboxUnreachable('http://127.0.0.1:4100'),
  world.wrongAccount({ runner, found, expected: '111122223333' }),
  world.gitlabTooOld({ version: '17.4.2-ee', oldest: '17.5' }),
  world.wrongRegion({ runner, found, expected: 'eu-central-1' }),
  state.contradiction({
    runner,
    reason: 'deployment_status says pink is active, the record expects purple',
    table,
    activate: 'pink',
  }),
  state.contradiction({
    runner,
    reason: 'deployment_status is invalid: it is empty',
    table,
    serving: ['pink', 'purple'],
  }),
  state.recordInvalid({ runner, reason: 'it is not JSON', parameter }),
  state.recordNewer({ runner, schema: 5, known: 4, parameter }),
  state.foreignWrite({ parameter, ours: '{"a":1}', theirs: '{"b":2}', version: 8 }),
  lock.lockHeld(held),
  lock.lockHeld({ ...held, reason: 'there is no CI to ask', isAlive: false }),
  lock.lockHeld({ ...held, reason: 'there is no CI to ask', isAlive: false, isOld: true }),
  lock.lockHeld({ ...held, reason: 'its process 4711 is stopped', byHand: true, stoppedPid: 4711 }),
  lock.lockInvalid({ runner, parameter, stage: 'provision' }),
  lock.lockLost({ runner, stage: 'provision', reason: 'it is taken by anna, since 08:13 UTC' }),
  state.held({ runner, who: 'deployer', why: 'an incident', since: '2026-11-02T08:00:00.000Z' }),
  state.superseded({ runner, stage: 'provision', reason: 'its pipeline was created earlier' }),
  ...[true, false].map((retires) =>
    state.busyElsewhere({ runner, again: 'prepare', reason: 'deployment 1-200 goes on', retires }),
  ),
  state.busyElsewhere({
    runner,
    again: 'prepare',
    reason: 'deployment 1-200 is healthy',
    retires: false,
    approval: { pipelineUrl: 'https://gitlab.example.com/runners/-/pipelines/200' },
  }),
  state.notPrepared({ runner, stage: 'provision', reason: 'there is no record' }),
  state.outOfOrder({
    runner,
    stage: 'cleanup',
    reason: 'pink is not drained, the deployment is promoted',
    next: 'shutdown',
  }),
  ...candidateErrors,
  ...[false, true].map((noChange) =>
    healthcheck.healthcheckTimedOut({
      runner,
      candidate: 'purple',
      within: '15m',
      checks: 91,
      reasons: ['GitLab has never heard from a manager of runner 48214'],
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
    reasons: ['GitLab has never heard from a manager of runner 48214'],
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
    reasons: ['the canary cannot be asked'],
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
    left: [
      'volume vol-0abc is left, and its data cannot be brought back: aws ec2 delete-volume --volume-id vol-0abc',
    ],
    byHand: 'Once nobody needs what it holds: aws ec2 delete-volume --volume-id vol-0abc',
    stage: 'cleanup',
  }),
  shards.sharedRegistration({ runner, id: '48213' }),
  ...serviceCatalogue(runner),
  ...takeoverErrors,
  ...outsideErrors,
  world.probesFailed({ runner, missing: ['scope api: 403 Forbidden', 'role: 403 Forbidden'] }),
  world.cancelled('provision', 'hosted-runner provision --runner linux'),
  world.cancelledUntouched('provision', 'hosted-runner provision --runner linux'),
  world.cancelledBeside('init', 'hosted-runner init'),
  world.bug('a text that nobody expected'),
  credentials.credentialsEnd({ runner: 'linux', stage: 'provision', left: 'end in 1m 30s' }),
  credentials.credentialsEnded(
    new PortFailure({
      kind: 'ended',
      effect: 'none',
      source: 'SSM GetParameter /gitlab/dedicated/runner/linux/deployment_lock',
      detail: 'ExpiredTokenException: The security token included in the request is expired',
    }),
    'hosted-runner provision --runner linux',
  ),
  credentials.tokenMissing(),
  credentials.tokenMissing({ malformed: 'HOSTED_RUNNER_GITLAB_TOKEN' }),
  credentials.githubSecretMissing({ variable: 'HOSTED_RUNNER_GITHUB_TOKEN', parameter: undefined }),
  sandbox.sandboxUnknown(),
  ...outputErrors,
  ...bakeCatalogue,
  ...terraformErrors,
];
