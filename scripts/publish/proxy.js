import { PublishProblem, unchanged } from './problem.js';

/**
 * Node's fetch ignores the variables of a proxy, which Git reads itself.
 * @returns {Promise<typeof fetch>}
 */
export async function chooseFetch() {
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
  if (!names.some((name) => process.env[name])) return fetch;
  const undici = await import('undici').catch(() => {
    throw new PublishProblem({
      what: 'The proxy needs the packages of this project, which are not installed.',
      now: unchanged,
      fix: ['npm ci'],
    });
  });
  const dispatcher = new undici.EnvHttpProxyAgent();
  return /** @type {any} */ (
    (/** @type {string} */ url, /** @type {any} */ init) =>
      undici.fetch(url, { ...init, dispatcher })
  );
}
