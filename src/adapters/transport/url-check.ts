import { isLoopback } from '../../domain/loopback.ts';

/**
 * Why no request may go to this address; undefined if it may. A token must not travel in clear;
 * `secretless`: there is none.
 */
export function refuseAddress(
  url: URL,
  { secretless = false }: { readonly secretless?: boolean | undefined } = {},
): string | undefined {
  if (url.username !== '' || url.password !== '') {
    return 'the URL carries a user name or password; credentials come from the environment only';
  }
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return `the URL begins with ${url.protocol} instead of https:`;
  if (secretless || isLoopback(url.hostname)) return undefined;
  return `the URL of ${url.host} is not https; http is allowed for loopback addresses only`;
}
