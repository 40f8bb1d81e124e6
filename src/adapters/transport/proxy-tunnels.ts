import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { untilAborted } from '../../domain/background.ts';
import { authorizationOf, type Proxies } from './proxies.ts';
import { createSend, readWhole, type Send } from './send.ts';

/** A connection to where a proxy leads; TLS, if the address asks for it, is spoken with the far end. */
export interface Tunnels {
  to(url: URL, effect: 'read' | 'write'): ProxyAgent | undefined;
  close(): void;
}

/** Opened when they are first needed; the library is that of Node's own `fetch`. */
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
    // Plain http goes through a tunnel as well: what a proxy cannot read it cannot answer for another.
    proxyTunnel: true,
    ...(token === undefined ? {} : { token }),
    // A kept connection may be closed by the other side at this moment, and then nobody knows what
    // became of a write.
    ...(effect === 'write' ? { pipelining: 0 } : {}),
  });
}

/** For what no proxy is there for: with NODE_USE_ENV_PROXY Node's own way would lead through one. */
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

/** Once, following nothing; rejects with the system's own error, and with the signal's reason once it is aborted. */
export async function requestThrough(
  url: URL,
  { dispatcher, body, method, signal, ...rest }: TunnelRequest,
) {
  const asked = request(url, {
    ...rest,
    signal,
    dispatcher,
    method: method as 'GET',
    body: body ?? null,
    // The caller's own limits hold.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    // The library hears the signal once it is connected, and a proxy may take for ever to say that it is.
    return await untilAborted(asked, signal);
  } catch (error) {
    throw proxyRefusal(error) ?? error;
  }
}

/** No tunnel was opened, so that nothing can have been asked of the far end. */
function proxyRefusal(error: unknown): Error | undefined {
  const { message = '' } = (error ?? {}) as { message?: string };
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status === undefined) return undefined;
  const code = status.startsWith('5') ? 'PROXY_UNAVAILABLE' : 'PROXY_REFUSED';
  return Object.assign(new Error(`the proxy answered ${status} to CONNECT`), { code });
}

/** Sends what a proxy is there for through it, and everything else as before. */
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
