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

const usualPrefixes = ['AWS_', 'LC_', 'XDG_'] as const;

/**
 * Selects variables for a program that builds infrastructure: those that every such program needs
 * (a place to write, proxy, certificates, AWS), its own, and those in `named`.
 */
export function passedOn(
  environment: Readonly<Record<string, string | undefined>>,
  { isOwn, named }: { isOwn: (name: string) => boolean; named: readonly string[] },
): Record<string, string> {
  const passed = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isUsual(entry[0]) || isOwn(entry[0]) || named.includes(entry[0])),
  );
  return Object.fromEntries(passed);
}

function isUsual(name: string): boolean {
  return usualNames.has(name) || usualPrefixes.some((prefix) => name.startsWith(prefix));
}
