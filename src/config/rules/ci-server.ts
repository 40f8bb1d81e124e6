type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The server of the pipeline by the job's own variables. A pipeline's variable outranks each of
 * them, so that one that was set alone is known by those that still tell the truth.
 * https://docs.gitlab.com/ci/variables/#cicd-variable-precedence
 */
export type CiServer =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'contradiction'; readonly name: string };

export function readCiServer(environment: Environment): CiServer {
  const url = environment['CI_SERVER_URL'] ?? '';
  if (url === '') return { kind: 'none' };
  const own = originOf(url);
  const witness = witnesses.find(({ name, read }) => {
    const text = environment[name] ?? '';
    return text !== '' && own !== undefined && read(text, own) === false;
  });
  if (witness !== undefined) return { kind: 'contradiction', name: witness.name };
  return { kind: 'server', url };
}

const witnesses: readonly {
  readonly name: string;
  readonly read: (text: string, own: URL) => boolean;
}[] = [
  { name: 'CI_API_V4_URL', read: isOnServer },
  { name: 'CI_PROJECT_URL', read: isOnServer },
  { name: 'CI_JOB_URL', read: isOnServer },
  { name: 'CI_SERVER_HOST', read: (text, own) => text.toLowerCase() === own.hostname },
  { name: 'CI_SERVER_FQDN', read: (text, own) => text.toLowerCase() === own.host },
];

function isOnServer(text: string, own: URL): boolean {
  return originOf(text)?.host === own.host;
}

function originOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
