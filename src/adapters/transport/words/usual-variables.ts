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

/** What every program that builds infrastructure needs: a place to write, a proxy and its certificates, AWS. */
export function isUsualVariable(name: string): boolean {
  return usualNames.has(name) || usualPrefixes.some((prefix) => name.startsWith(prefix));
}
