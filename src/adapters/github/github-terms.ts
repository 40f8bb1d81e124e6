import type { RegistryTerms } from '../../domain/registry-terms.ts';
import { anyOf, hostSigns } from '../transport/words/host-signs.ts';

/**
 * Events that end all earlier problems: a registration, a start, a restored connection, a job or
 * its success.
 * https://github.com/actions/runner: src/Runner.Listener and src/Runner.Common.
 */
const started =
  /Listening for Jobs|Runner reconnected|Running job: |completed with result: Succeeded|Runner successfully added|Connected to GitHub/;

/**
 * Matches a status by its .NET name, from a registration (`Http response code: …`) or a listener
 * (`failed with status: …`).
 */
function status(names: string): RegExp {
  return new RegExp(
    String.raw`(?:Http response code: |Runner connect error: .*\bfailed with status: )(?:${names})\b`,
    'i',
  );
}

const rateLimited = anyOf(
  /API rate limit exceeded|secondary rate limit/,
  status('TooManyRequests|429'),
);

/** Excludes lines about docker or AWS calls. */
const ofGitHub = '^(?!.*(?:docker|amazonaws))';

/** Network errors of .NET and curl. */
const noNetwork = [
  'Could not resolve host|Name or service not known|Temporary failure in name resolution|no such host',
  'Connection (?:refused|reset|timed out)|No route to host|network is unreachable',
  'proxy tunnel request|Runner connect error: .*(?:canceled|HttpClient.Timeout|timed out|sending the request|ended prematurely|temporarily unavailable|unexpected EOF)',
].join('|');

/**
 * GitHub's message: "… the `acme` organization has an IP allow list enabled, and your IP address is
 * not permitted …".
 */
const addressRefused = /\bIP allow list\b/i;

const githubSigns: RegistryTerms['logSigns'] = {
  ...hostSigns({
    ofRegistry: ofGitHub,
    untrusted: [
      'SSL connection could not be established',
      'remote certificate (?:is invalid|was rejected)',
    ],
    answered: started,
    started,
    workersMade: started,
  }),
  registration_lost: {
    set: /Registration \S+ was not found|registration has been deleted from the server|The runner no longer exists on the server/i,
    clear: started,
  },
  session_conflict: {
    // Exit code 5 ends the service: src/Misc/layoutroot/run-helper.sh.template.
    set: /session for this runner already exists|Session ?Conflict|Runner connect error: .*\bConflict\b|Runner listener exited with error code 5\b|status=5\/NOTINSTALLED/i,
    clear: started,
  },
  name_taken: {
    set: /A runner exists with the same name/i,
    clear: anyOf(started, /Successfully replaced the runner/),
  },
  api_rate_limited: { set: rateLimited, clear: started },
  address_refused: { set: addressRefused, clear: started },
  token_refused: {
    set: anyOf(
      status('Unauthorized|Forbidden|401|403'),
      /Http response code: (?:NotFound|404) from '(?:POST|GET)|Invalid configuration provided for token|Failed to create a session\. The runner registration|Could not find any self-hosted runner group|VS30063/,
    ),
    // The next line shows the reason of a 403:
    // src/Runner.Listener/Configuration/ConfigurationManager.cs.
    clear: anyOf(started, rateLimited, addressRefused),
  },
  token_absent: {
    set: /ParameterNotFound|AccessDenied.*GetParameter|GetParameter.*AccessDenied|no token or no fleet of/i,
    // The host then waits for something else: terraform/files/actions-runner/prepare-runner.sh.
    clear: anyOf(started, /waiting: the (?:fleet|token) of/),
  },
  registry_failing: {
    set: anyOf(
      status('InternalServerError|BadGateway|ServiceUnavailable|GatewayTimeout|5\\d\\d'),
      /Http response code: (?:Conflict|409)\b|Runner connect error: .*\b5\d\d \(/,
    ),
    clear: started,
  },
  registry_unreachable: {
    set: new RegExp(`${ofGitHub}.*(?:${noNetwork})`, 'i'),
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

export const githubTerms: RegistryTerms = {
  registry: 'GitHub',
  registration: 'fleet',
  record: 'fleet',
  manager: 'runner',
  managers: 'runners',
  tag: 'label',
  tags: 'labels',
  paused: 'paused',
  unpaused: 'unpaused',
  pausing: 'Took the labels off',
  unpausing: 'Restored the labels of',
  program: 'actions-runner',
  adopt: 'Register its runners in GitHub as {name}-INSTANCE',
  adoptOne: 'Register its runners in GitHub as {name}-INSTANCE',
  hasIds: false,
  refusalPasses: false,
  refused:
    'a registration token expires after an hour, and a removed runner never returns by itself',
  logSigns: githubSigns,
};
