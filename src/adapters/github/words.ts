import type { RegistryWords } from '../../domain/registry-words.ts';

export const githubWords: RegistryWords = {
  registry: 'GitHub',
  registration: 'fleet',
  record: 'fleet',
  manager: 'runner',
  managers: 'runners',
  tag: 'label',
  tags: 'labels',
  paused: 'closed',
  unpaused: 'open',
  pausing: 'Took the labels off',
  unpausing: 'Gave their labels back to',
  program: 'actions-runner',
  adopt: 'Register its runners in GitHub as {name}-INSTANCE',
  hasIds: false,
  refusalPasses: false,
  refused:
    'a token for registering ends after an hour, and a runner that was removed never comes back by itself',
  logSigns: {
    // https://github.com/actions/runner: src/Runner.Listener and src/Runner.Common
    token_refused:
      /Http response code: (?:Unauthorized|Forbidden|NotFound|401|403|404) from '(?:POST|GET)|registration has been deleted from the server|Invalid configuration provided for token|Failed to create a session\. The runner registration|The runner no longer exists on the server|Could not find any self-hosted runner group|session for this runner already exists/i,
    token_absent: /ParameterNotFound|AccessDenied.*(?:ssm|parameter)|no token or no fleet of/i,
    registry_unreachable:
      /Could not resolve host|Name or service not known|Connection refused|Runner connect error|network is unreachable|no such host/i,
    version_ended: /runner version \S+ is deprecated|RUNNER UPDATE REQUIRED/i,
    executor_broken: /No space left on device|Cannot connect to the Docker daemon/i,
  },
};
