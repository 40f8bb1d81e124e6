import { isLoopback } from '../../domain/loopback.ts';
import type { KeyName } from '../keys/key-table.ts';
import type { Environment } from '../layers/overrides.ts';

/** What an address of GitLab has to look like before it is read as a URL. */
export const gitlabUrlPattern =
  /^(?:https:\/\/[^\s\\@?#]+|http:\/\/(?:localhost|127\.|\[::1\])[^\s\\@?#]*)$/;

/** GitLab's own address without a slash at its end; the token is sent there, so no plain http. */
export function readGitLabUrl(
  text: string,
):
  | { readonly kind: 'url'; readonly url: string; readonly isLoopback: boolean }
  | { readonly kind: 'refused'; readonly reason: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !gitlabUrlPattern.test(text)) {
    return { kind: 'refused', reason: 'it is not a URL' };
  }
  const reason = refusal(url);
  if (reason !== undefined) return { kind: 'refused', reason };
  return {
    kind: 'url',
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    isLoopback: isLoopback(url.hostname),
  };
}

function refusal(url: URL): string | undefined {
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'its host is not loopback';
  if (/\/api\/v\d+\/?$/.test(url.pathname)) return 'leave out the /api/… part';
  return undefined;
}

/**
 * The line to write if `gitlab.url` is missing. The address is only printed: a pipeline's variables take
 * precedence over all of GitLab's own, so no variable decides where the token goes (decision 16).
 * https://docs.gitlab.com/ci/variables/#cicd-variable-precedence
 */
export function proposeAddress(name: KeyName, environment: Environment): string {
  const read = readGitLabUrl(environment['CI_SERVER_URL'] ?? '');
  if (name !== 'gitlab.url' || read.kind === 'refused') return '';
  return `; if this pipeline's GitLab is ${read.url} (CI_SERVER_URL), write gitlab.url: ${read.url} into the file`;
}
