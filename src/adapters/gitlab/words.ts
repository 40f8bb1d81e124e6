import type { RegistryWords } from '../../domain/registry-words.ts';

export const gitlabWords: RegistryWords = {
  registry: 'GitLab',
  registration: 'runner',
  record: 'runner record',
  manager: 'manager',
  managers: 'managers',
  tag: 'tag',
  tags: 'tags',
  paused: 'paused',
  unpaused: 'un-paused',
  pausing: 'Paused',
  unpausing: 'Un-paused',
  program: 'gitlab-runner',
  // The first that sends a system id, so that each manager is a row of its own.
  oldestProgram: '15.8',
  adopt: 'Give that runner alone its description in GitLab, {name}',
  hasIds: true,
  // A runner cannot tell the 403 of a maintenance mode (GitLab up to 18.2) from that of a dead token.
  refusalPasses: true,
  refused:
    "GitLab's maintenance mode looks the same to a runner and passes, a dead token does not; three refusals silence a runner for an hour (unhealthy_interval), or until its configuration is loaded again",
  // Each version's own words: test/domain/health/log-signs.test.ts.
  logSigns: {
    token_refused: /Checking for jobs\.{3} forbidden|\/jobs\/request: 403 Forbidden/i,
    token_absent:
      /ParameterNotFound|AccessDenied.*(?:ssm|parameter)|token cannot be read|token is (?:empty|missing)/i,
    // A job's image comes from elsewhere, and so do parameters.
    registry_unreachable:
      /^(?!.*(?:Preparation failed|Failed to process runner|pull|docker|amazonaws)).*(?:dial tcp|no such host|network is unreachable|Checking for jobs.*(?:timeout|refused|unreachable|deadline exceeded|connection reset|no route to host|proxyconnect|: EOF))/i,
    // executors/internal/autoscaler/provider.go; before 16.11 the plugin was a program in PATH.
    plugin_missing:
      /loading fleeting plugin|running autoscaler plugin: .*(?:no such file or directory|executable file not found)/i,
    // Of taskscaler, the library behind docker-autoscaler: github.com/cattle-ops/terraform-aws-gitlab-runner#1185.
    workers_not_made: /increasing instances failure/i,
    executor_broken:
      /Preparation failed|failed to update executor|Executor \S+ is not known|Cannot connect to the Docker daemon|failed to connect to the docker API|permission denied while trying to connect to the docker/i,
  },
  silenced: /is (?:unhealthy|not healthy) and will be disabled/i,
  otherSilence:
    /is not known; marking Runner as unhealthy|Checking for jobs\.{3} (?:client )?error\b/i,
  asksAnew: /Configuration loaded|Starting multi-runner from|Checking for jobs\.{3} received/,
  workersMade: /increasing instances response.*num_successful"?\s*[=:]\s*[1-9]/i,
  answered: /Checking for jobs\.{3} (?:received|forbidden)/,
};
