import { refuseAddress } from '../adapters/transport/url-check.ts';
import { urlPassword } from '../domain/text/secret-shapes.ts';
import { unsafeEnvironment } from '../errors/input-errors.ts';

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
 * Whatever its name says: Terraform's, the CI's, those of tools and providers that we do not know. No
 * word has to begin there: `PGPASSWORD`, `DATADOG_APIKEY`.
 */
const secret =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|_PWD|PRIVATE_?KEY|ACCESS_?KEY|API_?KEY|APP_?KEY|CREDENTIAL)S?(?:_|$)|(?:^|_)(?:DSN|AUTH_CONFIG|CONNECTION_STRING)$|^TF_ENCRYPTION$/i;
/** Names of a place or of something else that is told openly. */
const place =
  /_(?:FILE|PATH|DIR|URL|URI|ENDPOINT|PARAMETER|NAME|ARN|ID|TTL|HEADER|TYPE|EXPIRES(?:_AT|_IN)?|EXPIRATION)$/i;
/** What is ours to take for a secret, however short. */
const own =
  /^(?:HOSTED_RUNNER_(?:GITLAB_TOKEN|GITHUB_TOKEN|GITHUB_PRIVATE_KEY|PROMETHEUS_TOKEN|WEBHOOK_TOKEN)|GITLAB_TOKEN)$/;
/** `TF_TOKEN_app_terraform_io`: its end is a host's name. */
const terraform = /^TF_TOKEN_/;
const shortest = 8;
/** Text that anybody who commits may choose: a word of it that is hidden would hide names in every output. */
const freeText =
  /^(?:CI_(?:COMMIT|MERGE_REQUEST|EXTERNAL_PULL_REQUEST)_|GITHUB_(?:HEAD_|BASE_)?REF)/;

/** In a value of any name: a URL with a password, and `Password=…` of a connection's text. */
const passwords = [
  new RegExp(urlPassword, 'g'),
  /(?<=\b(?:password|passwd|pwd|secret|token)=)[^\s;&"']+/gi,
];

/** The values that no log, report, record or error may repeat: of variables whose names say so, or that hold a password. */
export function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (own.test(name)) return [value];
    const isSecret = terraform.test(name) || (secret.test(name) && !place.test(name));
    const inside = freeText.test(name)
      ? []
      : passwords.flatMap((pattern) => value.match(pattern) ?? []).flatMap(decoded);
    const whole = isSecret || inside.length > 0 ? [value] : [];
    return [...whole, ...inside].filter((each) => each.trim().length >= shortest);
  });
}

/** As it stands in a URL, and as a program uses it. */
function decoded(password: string): string[] {
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}
