import type { Through } from '../../ports/failure.ts';
import type { Proxies } from '../transport/proxies.ts';
import { openDirect, openTunnels, requestThrough } from '../transport/proxy-tunnels.ts';

/** Members of a request that the SDK passes to its request handler, as far as used here. */
interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Creates a handler that replaces the SDK's own, which supports no proxy. */
export function createProxiedHandler(proxies: Proxies) {
  const tunnels = openTunnels(proxies);
  const direct = openDirect();
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(
      request: SdkRequest,
      { abortSignal = new AbortController().signal }: { readonly abortSignal?: AbortSignal } = {},
    ) {
      const url = addressOf(request);
      const { host: _, ...headers } = request.headers;
      const {
        statusCode,
        headers: rawHeaders,
        body,
      } = await requestThrough(url, {
        // The SDK sends reads and writes as POST.
        dispatcher: tunnels.to(url, 'write') ?? direct,
        method: request.method,
        headers,
        body: request.body,
        signal: abortSignal,
      }).catch((error: unknown) => {
        throw withThrough(error, proxies.through(url));
      });
      const flat = Object.entries(rawHeaders).map(([name, value = '']) => [
        name,
        [value].flat().join(', '),
      ]);
      return { response: { statusCode, headers: Object.fromEntries(flat), body } };
    },
    destroy() {
      tunnels.close();
      direct.destroy().catch(() => undefined);
    },
  };
}

/** Adds the proxy to an error in the SDK's form: name, message, code and other members. */
function withThrough(error: unknown, through: Through | undefined): unknown {
  if (through === undefined || typeof error !== 'object' || error === null) return error;
  const { name, message, code } = error as { name?: string; message?: string; code?: unknown };
  return Object.assign(new Error(message, { cause: error }), {
    ...(name === undefined ? {} : { name }),
    ...(typeof code === 'string' ? { code } : {}),
    through,
  });
}

function addressOf({ protocol, hostname, port, path, query = {} }: SdkRequest): URL {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? ''].flat()) url.searchParams.append(name, one);
  return url;
}
