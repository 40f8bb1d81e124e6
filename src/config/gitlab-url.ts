import { z } from 'zod';
import { show } from './show.ts';

const what = 'an https:// URL (http:// only for loopback)';

/** GitLab's own address without a slash at its end; the token is sent there, so no plain http. */
export function gitlabUrl() {
  const error = (issue: { readonly input?: unknown }) =>
    `expected ${what}, found ${show(issue.input)}`;
  return z
    .string({ error })
    .regex(/^(?:https:\/\/[^\s\\@?#]+|http:\/\/(?:localhost|127\.|\[::1\])[^\s\\@?#]*)$/, { error })
    .transform((text, context) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      const reason = url === undefined ? 'it is not a URL' : refusal(url);
      if (url !== undefined && reason === undefined) {
        return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
      }
      context.addIssue({
        code: 'custom',
        message: `expected ${what}, found ${show(text)}: ${reason}`,
      });
      return z.NEVER;
    });
}

function refusal(url: URL): string | undefined {
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'its host is not loopback';
  if (/\/api\/v\d+\/?$/.test(url.pathname)) return 'leave out the /api/… part';
  return undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
