import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';

/** Log line and the diagnoses that it indicates. */
export type Line = readonly [string, readonly DiagnosisCode[]];

export const noRole =
  'User: arn:aws:sts::123456789012:assumed-role/ssm-parameter-role/i-0abc is not authorized to perform';

const connect = (reason: string) =>
  `2026-11-06 08:00:00Z: Runner connect error: ${reason}. Retrying until reconnected.`;
const broker = (status: string) =>
  connect(
    `Failed to get job message. Request to https://broker.actions.githubusercontent.com/message failed with status: ${status}. Error message Error: ${status}`,
  );
const registered = (status: string) =>
  `Http response code: ${status} from 'POST https://api.github.com/actions/runner-registration' (Request Id: A:B)`;

/** Lines of actions/runner 2.336: src/Runner.Listener, src/Sdk, and .NET. */
export const gitHubLines: readonly Line[] = [
  [connect('Name or service not known (api.github.com:443)'), ['registry_unreachable']],
  [connect('Connection refused (10.0.0.7:3128)'), ['registry_unreachable']],
  [connect('Resource temporarily unavailable (api.github.com:443)'), ['registry_unreachable']],
  [connect('The operation was canceled'), ['registry_unreachable']],
  [
    connect(
      'The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing',
    ),
    ['registry_unreachable'],
  ],
  [connect('An error occurred while sending the request'), ['registry_unreachable']],
  [
    connect(
      "The proxy tunnel request to proxy 'http://10.0.0.7:3128/' failed with status code '407'",
    ),
    ['registry_unreachable'],
  ],
  [
    connect('The SSL connection could not be established, see inner exception'),
    ['certificate_untrusted'],
  ],
  [
    'An error occurred: The remote certificate is invalid because of errors in the certificate chain: UntrustedRoot',
    ['certificate_untrusted'],
  ],
  [connect('Registration 4711 was not found.'), ['registration_lost']],
  [connect('Error: Conflict'), ['session_conflict']],
  ['Stop retry on SessionConflictException after retried for 240 seconds.', ['session_conflict']],
  [connect('The token is not valid. Current server time is 11/06/2026'), ['clock_off']],
  [broker('TooManyRequests'), ['api_rate_limited']],
  [broker('InternalServerError'), ['registry_failing']],
  [broker('BadGateway'), ['registry_failing']],
  [broker('Forbidden'), ['token_refused']],
  [broker('Unauthorized'), ['token_refused']],
  [
    connect(
      'VS30063: You are not authorized to access https://pipelines.actions.githubusercontent.com',
    ),
    ['token_refused'],
  ],
  [connect('Value cannot be null'), []],
  ['Failed to create session. Value cannot be null', []],
  [registered('NotFound'), ['token_refused']],
  [registered('TooManyRequests'), ['api_rate_limited']],
  [registered('ServiceUnavailable'), ['registry_failing']],
  ['A runner exists with the same name pink-linux-i-0abc.', ['name_taken']],
  ['Failed to connect. Try again or ctrl-c to quit', []],
  ['An error occurred: Not configured. Run config.(sh/cmd) to configure the runner.', []],
  [
    'The runner no longer exists on the server. Please reconfigure the runner.',
    ['registration_lost'],
  ],
  ['Runner listener exit with terminated error, stop the service, no retry needed.', []],
  ['Runner update in progress, do not shutdown runner.', []],
  // Job names are free text.
  ['2026-11-06 08:00:00Z: Running job: test API rate limit exceeded', []],
  ['2026-11-06 08:00:00Z: Running job: No space left on device', []],
  ['2026-11-06 08:00:00Z: Job Connection refused completed with result: Failed', []],
  // Line of another program on the host.
  [
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    ['executor_broken'],
  ],
  [
    'Could not connect to the endpoint URL: "https://ssm.eu-central-1.amazonaws.com/": Connection refused',
    [],
  ],
  [
    `An error occurred (AccessDeniedException) when calling the DescribeTags operation: ${noRole}: ec2:DescribeTags`,
    [],
  ],
];
