import { refuseAddress } from '../adapters/transport/url-check.ts';
import { urlPassword } from '../domain/text/secret-shapes.ts';
import { unsafeEnvironment } from '../errors/input-errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Refuses variables that would expose a token: without encryption, or to a false GitLab server. The
 * SDK and Node read these variables themselves, so no other code checks them.
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
  'NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates would not be checked, and an attacker on the network could steal the tokens.';

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html */
function refuseEndpoint(name: string, value: string): string[] {
  if (!/^AWS_ENDPOINT_URL(?:_|$)/.test(name) || value === '') return [];
  if (!URL.canParse(value)) return [`${name} is not a URL.`];
  const detail = refuseAddress(new URL(value));
  return detail === undefined ? [] : [`${name}: ${detail}.`];
}

/**
 * Names of secrets, including those of Terraform, the CI, and unknown tools and providers. The
 * pattern may match inside a word: `PGPASSWORD`, `DATADOG_APIKEY`.
 */
const secret =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|_PWD|PRIVATE_?KEY|ACCESS_?KEY|API_?KEY|APP_?KEY|CREDENTIAL)S?(?:_|$)|(?:^|_)(?:DSN|AUTH_CONFIG|CONNECTION_STRING)$|^TF_ENCRYPTION$/i;
/** Names of places and of other public values. */
const place =
  /_(?:FILE|PATH|DIR|URL|URI|ENDPOINT|PARAMETER|NAME|ARN|ID|TTL|HEADER|TYPE|EXPIRES(?:_AT|_IN)?|EXPIRATION)$/i;
/** Names of variables that always contain a secret, however short. */
const own =
  /^(?:HOSTED_RUNNER_(?:GITLAB_TOKEN|GITHUB_TOKEN|GITHUB_PRIVATE_KEY|PROMETHEUS_TOKEN|WEBHOOK_TOKEN)|GITLAB_TOKEN)$/;
/** Names such as `TF_TOKEN_app_terraform_io`, which end with a host name. */
const terraform = /^TF_TOKEN_/;
const shortest = 8;
/** Text that any committer may choose. Hiding a word of it would hide names in every output. */
const freeText =
  /^(?:CI_(?:COMMIT|MERGE_REQUEST|EXTERNAL_PULL_REQUEST)_|GITHUB_(?:HEAD_|BASE_)?REF)/;

/** Passwords in a value of any name: in a URL, or as `Password=…` in a connection string. */
const passwords = [
  new RegExp(urlPassword, 'g'),
  /(?<=\b(?:password|passwd|pwd|secret|token)=)[^\s;&"']+/gi,
];

/**
 * Lists the values that no log, report, record or error may contain: variables with a secret's
 * name, and passwords in values.
 */
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

/** Returns the password as it stands in a URL, and decoded as programs use it. */
function decoded(password: string): string[] {
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}
