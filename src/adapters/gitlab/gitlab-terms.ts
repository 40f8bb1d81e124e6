import type { RegistryTerms } from '../../domain/registry-terms.ts';
import { anyOf, hostSigns } from '../transport/words/host-signs.ts';

/** Signs that the runner starts, receives a job, or has finished one. */
const started =
  /Configuration loaded|Starting multi-runner from|Checking for jobs\.{3} received|Job succeeded/;
/**
 * Signs of any response from GitLab, including refusals and server errors. A start is none: it
 * proves no network.
 */
const answered =
  /Checking for jobs\.{3} (?:received|forbidden|GitLab)|Job succeeded|\/jobs\/request: \d{3}\b|to coordinator\.{3} ?(?:ok|accepted)/;
/** Signs that taskscaler or docker-machine created a worker. */
const workersMade =
  /increasing instances response.*num_successful"?\s*[=:]\s*[1-9]|Machine created|Created docker-machine/;

/**
 * Matches a request to GitLab (network/gitlab.go, router/client.go) or the bare reason of its
 * failure. It excludes requests to a worker, a registry, a cache and AWS.
 */
const ofGitLab = String.raw`^(?!.*(?:Preparation failed|Job failed))(?=.*(?:Checking for jobs|requesting a job|Updating job|to coordinator\.{3}|(?:Verifying|Registering) runner|/api/v4/)|(?:[A-Z]+: )?(?:dial tcp(?! \S+:22:)|x509:|tls:))`;

/** Returns the signs of a status of a job request. Another status clears it. */
function signOf(statuses: string): { readonly set: RegExp; readonly clear: RegExp } {
  return {
    set: new RegExp(String.raw`/jobs/request: (?:${statuses})\b`),
    clear: anyOf(
      started,
      /Checking for jobs\.{3} (?:forbidden|GitLab)/,
      new RegExp(String.raw`/jobs/request: (?!${statuses})\d{3}\b`),
    ),
  };
}

/**
 * Sign that GitLab refused a request with a `Retry-After`. The runner waits up to four times before
 * it logs the status (network/retry_requester.go). The runner's own pauses are shorter than 3 s. A
 * duration in JSON is in nanoseconds.
 */
const waitRequested =
  /Waiting before making the next call(?=.*duration=(?:\d+h|\d+m\d|\d{2,}(?:\.\d+)?s|[3-9](?:\.\d+)?s|[3-9]\d{9}\b|\d{11,})).*method=POST/;

const failing = signOf(String.raw`408|409|425|5\d\d`);
const rateLimited = signOf('429');
const orphaned = signOf('422');
const elsewhere = signOf(String.raw`3\d\d|4(?!03|08|09|22|25|29)\d\d`);

/** Matches errors of the job router (FF_USE_JOB_ROUTER): router/client.go. */
function byRouter(codes: string): RegExp {
  return new RegExp(
    `Error requesting a job(?=.*rpc error: code = (?:${codes})\\b)(?!.*(?:dial tcp|no such host))`,
  );
}

/** Excludes Canceled: the runner itself cancels a request when it stops. */
const byRouterOtherwise = byRouter('(?!Unauthenticated|PermissionDenied|Canceled)\\w+');

/** Sign that a runner stops sending requests, after three unhealthy ones. */
const silenced = /is (?:unhealthy|not healthy) and will be disabled/i;
/** Signs that a runner is unhealthy for another reason than its token. */
const otherNoResponse = anyOf(
  /is not known; marking Runner as unhealthy|Checking for jobs\.{3} (?:client )?error\b/,
  byRouterOtherwise,
);

/** Signs by problem. Each version's messages: test/domain/health/log-signs.test.ts. */
const gitlabSigns: RegistryTerms['logSigns'] = {
  ...hostSigns({ ofRegistry: ofGitLab, answered, started, workersMade, omitsResponses: true }),
  token_refused: {
    set: anyOf(
      /Checking for jobs\.{3} forbidden|\/jobs\/request: 403 Forbidden/,
      byRouter('Unauthenticated|PermissionDenied'),
    ),
    clear: started,
    omitsResponses: true,
  },
  token_absent: {
    set: /ParameterNotFound|AccessDenied.*GetParameter|GetParameter.*AccessDenied|token cannot be read|token is (?:empty|missing)/i,
    clear: started,
  },
  api_rate_limited: { ...rateLimited, omitsResponses: true },
  runner_orphaned: { ...orphaned, omitsResponses: true },
  address_wrong: {
    set: anyOf(elsewhere.set, /response is not application\/json/),
    clear: elsewhere.clear,
    omitsResponses: true,
  },
  registry_failing: {
    set: anyOf(
      failing.set,
      /Checking for jobs\.{3} GitLab instance currently unavailable/,
      waitRequested,
      byRouterOtherwise,
    ),
    clear: failing.clear,
    omitsResponses: true,
  },
  registry_unreachable: {
    set: new RegExp(
      `${ofGitLab}.*(?:dial tcp|no such host|network is unreachable|no route to host|connection (?:refused|reset)|handshake timeout|i/o timeout|Client\\.Timeout|deadline exceeded|timeout awaiting|proxyconnect|: EOF)`,
      'i',
    ),
    clear: answered,
    omitsResponses: true,
  },
  // executors/internal/autoscaler/provider.go. Before 16.11, the plugin was a program in PATH.
  plugin_missing: {
    set: /loading fleeting plugin|running autoscaler plugin: .*(?:no such file or directory|executable file not found)/i,
    clear: started,
  },
  worker_reclaimed: {
    set: /not supported on a terminated instance|instance unexpectedly removed|ssh tunnel: EOF|Spot Instance interruption|Server\.SpotInstanceTermination|instance-terminated-by-(?:price|schedule|service|capacity)/i,
    clear: started,
  },
  // Messages of docker-machine and of taskscaler, the library of docker-autoscaler
  // (github.com/cattle-ops/terraform-aws-gitlab-runner#1185).
  workers_not_made: {
    set: /increasing instances failure|ready up preparation failed|unable to acquire instance|Machine creation failed|Error creating machine/i,
    clear: anyOf(workersMade, started),
  },
  executor_broken: {
    set: /Preparation failed|failed to update executor|Executor \S+ is not known|Cannot connect to the Docker daemon|failed to connect to the docker API|permission denied while trying to connect to the docker/i,
    clear: started,
  },
};

export const gitlabTerms: RegistryTerms = {
  registry: 'GitLab',
  registration: 'runner',
  record: 'runner',
  manager: 'manager',
  managers: 'managers',
  tag: 'tag',
  tags: 'tags',
  paused: 'paused',
  unpaused: 'unpaused',
  pausing: 'Paused',
  unpausing: 'Unpaused',
  program: 'gitlab-runner',
  // The first version with a system id, which gives each manager a separate record.
  oldestProgram: '15.8',
  adopt: 'In GitLab, set the description of the runner to {name}',
  adoptOne: 'In GitLab, leave the description {name} on one runner only',
  hasIds: true,
  // A runner cannot distinguish the 403 of maintenance mode (GitLab up to 18.2) from that of an
  // invalid token.
  refusalPasses: true,
  refused:
    "a runner cannot distinguish GitLab's maintenance mode (temporary) from an invalid token (permanent); after three refusals, a runner stops polling for an hour (unhealthy_interval), or until it loads its configuration again",
  logSigns: gitlabSigns,
  silenced,
  otherNoResponse,
};
