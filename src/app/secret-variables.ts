type Environment = Readonly<Record<string, string | undefined>>;

/** Whatever its name says: Terraform's, the CI's, those of tools and providers that we do not know. */
const secret =
  /(?:^|_)(?:TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_KEY|ACCESS_KEY|API_KEY|CREDENTIALS?)(?:_|$)|^TF_ENCRYPTION$/i;
/** Names of a place or of something else that is told openly. */
const place =
  /_(?:FILE|PATH|DIR|URL|URI|ENDPOINT|PARAMETER|NAME|ARN|ID|TTL|HEADER|TYPE|EXPIRES(?:_AT|_IN)?|EXPIRATION)$/i;
/** What is ours to take for a secret, however short. */
const own = /^(?:HOSTED_RUNNER_(?:GITLAB_TOKEN|GITHUB_TOKEN|GITHUB_PRIVATE_KEY)|GITLAB_TOKEN)$/;
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
