import type { StackShard } from '../domain/shard.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the user's commands may see. A list of what is allowed rather than of what is not: this
 * process holds GitLab's token, and the CI puts secrets of every kind into the environment of its
 * jobs. Tools for infrastructure need their own variables and AWS's, a place to write, a proxy and
 * its certificates; whatever else they need is named in `pass_environment`.
 */
export function commandEnvironment({
  environment,
  passEnvironment,
  shard,
}: {
  environment: Environment;
  passEnvironment: readonly string[];
  shard: StackShard;
}): Record<string, string> {
  const passed = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isUsual(entry[0]) || passEnvironment.includes(entry[0])),
  );
  return {
    ...Object.fromEntries(passed),
    HOSTED_RUNNER_SHARD: shard.shard,
    HOSTED_RUNNER_NAME: shard.runnerName,
  };
}

const usualNames: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TZ',
  'TMPDIR',
  'TERM',
  'NO_COLOR',
  'CI',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'KUBECONFIG',
  // Windows starts no program without these.
  'SystemRoot',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'HOSTED_RUNNER_SANDBOX_URL',
]);

const usualPrefixes = ['AWS_', 'LC_', 'XDG_', 'TF_', 'PULUMI_', 'CDK_', 'HELM_'] as const;

function isUsual(name: string): boolean {
  return usualNames.has(name) || usualPrefixes.some((prefix) => name.startsWith(prefix));
}
