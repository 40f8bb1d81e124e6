import { refuseAddress } from '../adapters/transport/address.ts';
import { unsafeEnvironment } from '../errors/input.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What would let a token travel in clear, or to whoever says that they are GitLab. The SDK and Node
 * read these variables themselves, so nobody else would ask.
 * @throws DeployError `UnsafeEnvironment`
 */
export function refuseUnsafe(environment: Environment): void {
  const problems = [
    ...(environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? [tlsOff] : []),
    ...Object.entries(environment).flatMap(([name, value = '']) => refuseEndpoint(name, value)),
  ];
  if (problems.length > 0) throw unsafeEnvironment(problems);
}

const tlsOff =
  'NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates would not be checked, and anybody on the way could take the tokens.';

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html */
function refuseEndpoint(name: string, value: string): string[] {
  if (!/^AWS_ENDPOINT_URL(?:_|$)/.test(name) || value === '') return [];
  if (!URL.canParse(value)) return [`${name} is no URL.`];
  const detail = refuseAddress(new URL(value));
  return detail === undefined ? [] : [`${name}: ${detail}.`];
}
