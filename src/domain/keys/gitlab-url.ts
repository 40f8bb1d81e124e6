import { isLoopback } from '../loopback.ts';
import { type Accepts, accepted, expected } from './values.ts';

const what = 'an https:// URL (http:// only for loopback)';

/** URL of GitLab without a final slash. The token is sent there, so plain http is refused. */
export function gitlabUrl(): Accepts<string> {
  return {
    type: 'text',
    typeText: 'URL',
    jsonSchema: { type: 'string', pattern: gitlabUrlPattern.source },
    read(value) {
      if (typeof value !== 'string' || !gitlabUrlPattern.test(value)) return expected(what, value);
      const read = readGitLabUrl(value);
      return read.kind === 'url' ? accepted(read.url) : expected(what, value, `: ${read.reason}`);
    },
  };
}

/** Pattern of a GitLab URL before it is parsed. */
const gitlabUrlPattern =
  /^(?:https:\/\/[^\s\\@?#]+|http:\/\/(?:localhost|127\.|\[::1\])[^\s\\@?#]*)$/;

/**
 * Parses the URL of GitLab, without a final slash. The token is sent there, so plain http is
 * refused.
 */
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
