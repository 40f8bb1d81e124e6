import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { untilAborted } from '../../domain/background.ts';
import { authorizationOf, type Proxies } from './proxies.ts';
import { createSend, readWhole, type Send } from './send.ts';

/** Connections through a proxy. TLS is established with the target, if its address requires it. */
export interface Tunnels {
  to(url: URL, effect: 'read' | 'write'): ProxyAgent | undefined;
  close(): void;
}

/** Opens tunnels on first use, with the library of Node's own `fetch`. */
export function openTunnels(proxies: Proxies): Tunnels {
  const agents = new Map<string, ProxyAgent>();
  return {
    to(url, effect) {
      const proxy = proxies.of(url);
      if (proxy === undefined) return undefined;
      const key = `${effect} ${proxy.href}`;
      const agent = agents.get(key) ?? openTunnel(proxy, effect);
      agents.set(key, agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy().catch(() => undefined);
    },
  };
}

function openTunnel(proxy: URL, effect: 'read' | 'write'): ProxyAgent {
  const token = authorizationOf(proxy);
  return new ProxyAgent({
    uri: proxy.origin,
    // Plain http also uses a tunnel: a proxy that cannot read a request cannot respond to it.
    proxyTunnel: true,
    ...(token === undefined ? {} : { token }),
    // The other side may close a kept connection at any moment, and the result of a write would be
    // unknown.
    ...(effect === 'write' ? { pipelining: 0 } : {}),
  });
}

/**
 * Opens direct connections for addresses without a proxy. With NODE_USE_ENV_PROXY, Node's default
 * would use one.
 */
export function openDirect(): Dispatcher {
  return new Agent();
}

interface TunnelRequest {
  readonly dispatcher: Dispatcher;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends once and follows no redirect. Rejects with the system's error, or with the signal's reason
 * after an abort.
 */
export async function requestThrough(
  url: URL,
  { dispatcher, body, method, signal, ...rest }: TunnelRequest,
) {
  const response = request(url, {
    ...rest,
    signal,
    dispatcher,
    method: method as 'GET',
    body: body ?? null,
    // The caller's own limits apply.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    // The library reacts to the signal only after the connection, and a proxy may never complete
    // it.
    return await untilAborted(response, signal);
  } catch (error) {
    throw proxyRefusal(error) ?? error;
  }
}

/** Finds a refusal by the proxy. Without a tunnel, no request reached the target. */
function proxyRefusal(error: unknown): Error | undefined {
  const { message = '' } = (error ?? {}) as { message?: string };
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status === undefined) return undefined;
  const code = status.startsWith('5') ? 'PROXY_UNAVAILABLE' : 'PROXY_REFUSED';
  return Object.assign(new Error(`the proxy answered ${status} to CONNECT`), { code });
}

/** Creates a sender that uses a proxy for its addresses, and a direct connection for others. */
export function createProxiedSend(proxies: Proxies): Send {
  const tunnels = openTunnels(proxies);
  const sendDirectly = createSend();
  const send: Send = async (sending) => {
    const { method, url, headers, body, signal, onSent } = sending;
    const isRead = method === 'GET' || method === 'HEAD';
    const dispatcher = tunnels.to(url, isRead ? 'read' : 'write');
    if (dispatcher === undefined) return sendDirectly(sending);
    const answering = requestThrough(url, {
      dispatcher,
      method,
      headers: { 'user-agent': 'hosted-runner-deploy', ...headers },
      body,
      signal,
    });
    onSent?.();
    const { statusCode: status, headers: rawHeaders, body: stream } = await answering;
    return readWhole({ status, headers: rawHeaders, body: stream }, sending);
  };
  return Object.assign(send, { through: proxies.through });
}
