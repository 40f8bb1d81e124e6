import { refuseAddress } from '../adapters/transport/address.ts';
import { show } from '../config/show.ts';
import { badUsage, unsafeEnvironment } from '../errors/input.ts';

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

/**
 * What the SDK takes for a part of its hosts' names. Without the variable a profile may say it; an empty
 * one is taken as it is, and so is that of a zone.
 * @throws DeployError `BadUsage`
 */
export function refuseRegion(environment: Environment): void {
  const text = environment['AWS_REGION'];
  if (text === undefined || isRegion(text)) return;
  const meant = text.trim().toLowerCase().replace(zone, '$1');
  const others = [meant, environment['AWS_DEFAULT_REGION'] ?? ''];
  throw badUsage({
    what: `AWS_REGION ${show(text)} is not a region of AWS.`,
    why: 'A region is named like eu-west-1: in lower case, and without the letter of a zone.',
    fix: [`Name that of the stack: export AWS_REGION=${others.find(isRegion) ?? 'eu-west-1'}`],
  });
}

const zone = /(-\d+)[a-z]$/;

function isRegion(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(text) && !zone.test(text);
}

/** Whatever its name says: Terraform's, the CI's, those of tools and providers that we do not know. */
const secret =
  /(?:^|_)(?:TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_KEY|ACCESS_KEY|API_KEY|CREDENTIALS?)(?:_|$)|^TF_ENCRYPTION$/i;
/** Names of a place or of something else that is told openly. */
const place =
  /_(?:FILE|PATH|DIR|URL|URI|ENDPOINT|PARAMETER|NAME|ARN|ID|TTL|HEADER|TYPE|EXPIRES(?:_AT|_IN)?|EXPIRATION)$/i;
/** What is ours to take for a secret, however short. */
const own =
  /^(?:HOSTED_RUNNER_(?:GITLAB_TOKEN|GITHUB_TOKEN|GITHUB_PRIVATE_KEY|PROMETHEUS_TOKEN|WEBHOOK_TOKEN)|GITLAB_TOKEN)$/;
/** `TF_TOKEN_app_terraform_io`: its end is a host's name. */
const terraform = /^TF_TOKEN_/;
const shortest = 8;

/** The values that no log, report, record or error may repeat: of variables whose names say so. */
export function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (own.test(name)) return [value];
    const isSecret = terraform.test(name) || (secret.test(name) && !place.test(name));
    return isSecret && value.trim().length >= shortest ? [value] : [];
  });
}
