import { isLoopback } from '../../domain/loopback.ts';

/**
 * Returns why an address is refused, or undefined if it is allowed. A token must not be sent
 * without TLS. With `secretless`, the request has no token.
 */
export function refuseAddress(
  url: URL,
  { secretless = false }: { readonly secretless?: boolean | undefined } = {},
): string | undefined {
  if (url.username !== '' || url.password !== '') {
    return 'the URL contains a user name or password; credentials come from the environment only';
  }
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return `the URL begins with ${url.protocol} instead of https:`;
  if (secretless || isLoopback(url.hostname)) return undefined;
  return `the URL of ${url.host} is not https; http is allowed for loopback addresses only`;
}
