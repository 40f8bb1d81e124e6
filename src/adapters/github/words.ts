import type { RegistryWords } from '../../domain/registry-words.ts';
import { anyOf, hostSigns } from '../transport/words/host-signs.ts';

/**
 * A registration, a start, a network that came back, a job, or its success: whatever was wrong before is over.
 * https://github.com/actions/runner: src/Runner.Listener and src/Runner.Common.
 */
const started =
  /Listening for Jobs|Runner reconnected|Running job: |completed with result: Succeeded|Runner successfully added|Connected to GitHub/;
const rateLimited =
  /API rate limit exceeded|secondary rate limit|Http response code: (?:TooManyRequests|429)/i;

/** GitHub's words: "… the `acme` organization has an IP allow list enabled, and your IP address is not permitted …". */
const addressRefused = /\bIP allow list\b/i;

const githubSigns: RegistryWords['logSigns'] = {
  ...hostSigns({ answered: started, started, workersMade: started }),
  registration_lost: {
    set: /Registration \S+ was not found|registration has been deleted from the server|The runner no longer exists on the server/i,
    clear: started,
  },
  session_conflict: {
    // Exit code 5 ends the service: src/Misc/layoutroot/run-helper.sh.template.
    set: /session for this runner already exists|Session ?Conflict|Runner listener exited with error code 5\b|status=5\/NOTINSTALLED/i,
    clear: started,
  },
  api_rate_limited: { set: rateLimited, clear: started },
  address_refused: { set: addressRefused, clear: started },
  token_refused: {
    set: /Http response code: (?:Unauthorized|Forbidden|NotFound|401|403|404) from '(?:POST|GET)|Invalid configuration provided for token|Failed to create a session\. The runner registration|Could not find any self-hosted runner group/i,
    // The reason of a 403 is printed on the line behind it: src/Runner.Listener/Configuration/ConfigurationManager.cs.
    clear: anyOf(started, rateLimited, addressRefused),
  },
  token_absent: {
    set: /ParameterNotFound|AccessDenied.*(?:ssm|parameter)|no token or no fleet of/i,
    // The host waits for something else by then: terraform/files/actions-runner/prepare-runner.sh.
    clear: anyOf(started, /waiting: the (?:fleet|token) of/),
  },
  registry_failing: {
    set: /Http response code: (?:InternalServerError|BadGateway|ServiceUnavailable|GatewayTimeout|Conflict|409|5\d\d)\b|Runner connect error: .*\b(?:InternalServerError|BadGateway|ServiceUnavailable|GatewayTimeout|5\d\d \()/i,
    clear: started,
  },
  registry_unreachable: {
    set: /Could not resolve host|Name or service not known|Connection refused|Runner connect error|network is unreachable|no such host/i,
    clear: started,
  },
  version_ended: {
    set: /runner version \S+ is deprecated|RUNNER UPDATE REQUIRED/i,
    clear: started,
  },
  executor_broken: {
    set: /No space left on device|Cannot connect to the Docker daemon/i,
    clear: started,
  },
};

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
  logSigns: githubSigns,
};
