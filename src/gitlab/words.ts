import type { RegistryWords } from '../domain/registry-words.ts';

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
  adopt: 'Give that runner alone its description in GitLab, {name}',
  hasIds: true,
  refused:
    'three refusals silence a runner for an hour (unhealthy_interval), also after the token is mended',
  logSigns: {
    token_refused:
      /is unhealthy and will be disabled|Checking for jobs\.{3} forbidden|status=403 Forbidden.*jobs\/request/i,
    token_absent:
      /ParameterNotFound|AccessDenied.*(?:ssm|parameter)|token cannot be read|token is (?:empty|missing)/i,
    registry_unreachable:
      /Checking for jobs.*(?:dial tcp|timeout|no such host|refused|unreachable)|dial tcp|no such host|network is unreachable/i,
    executor_broken:
      /Preparation failed|Cannot connect to the Docker daemon|executor not supported/i,
  },
};
