import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { createRequire } from 'node:module';
import type { Through } from '../../ports/failure.ts';
import type { AnswerHeaders } from './request.ts';

export interface Sending {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Aborts the exchange at any point. */
  readonly signal: AbortSignal;
  readonly maxAnswerBytes: number;
  /** Called once the whole request is passed to the system. */
  readonly onSent?: (() => void) | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Undefined if larger than `maxAnswerBytes`. */
  readonly body: string | undefined;
}

/**
 * Sends once and reads the whole response, or rejects with the system's error. Follows no redirect.
 */
export interface Send {
  (sending: Sending): Promise<Received>;
  /** Returns the proxy for an address. Absent without any proxy. */
  readonly through?: ((url: URL) => Through | undefined) | undefined;
}

/**
 * Creates a sender on Node's http and https. Loading `fetch` alone takes longer than the start of
 * Node: docs/decisions/0018-calls-and-waits.md.
 */
export function createSend(): Send {
  const keptAgents = new Map<string, Agent>();
  return async (sending) => {
    const incoming = await exchange(sending, keptAgents);
    const { statusCode: status = 0, headers } = incoming;
    return readWhole({ status, headers, body: incoming }, sending);
  };
}

/** Agents by protocol, created with the first kept connection. */
type KeptAgents = Map<string, Agent>;

function exchange(sending: Sending, keptAgents: KeptAgents): Promise<IncomingMessage> {
  const { method, url, headers, body, signal, onSent } = sending;
  return new Promise((resolve, reject) => {
    const request = open(
      url,
      {
        method,
        headers: { 'user-agent': 'hosted-runner-deploy', ...headers },
        signal,
      },
      // The other side may close a kept connection at any moment, and the result of a write would
      // be unknown. Reads are sent again.
      method === 'GET' || method === 'HEAD' ? keptAgents : undefined,
    );
    request.once('response', resolve);
    request.on('error', reject);
    if (onSent !== undefined) request.once('finish', onSent);
    request.end(body);
  });
}

type Http = Pick<typeof import('node:http'), 'request' | 'Agent'>;

// Loaded on use: in Node 24, an import of node:http also loads fetch, and https loads TLS. A
// sandbox on loopback never needs TLS.
function open(url: URL, options: RequestOptions, kept: KeptAgents | undefined): ClientRequest {
  const http = createRequire('/')(url.protocol === 'https:' ? 'node:https' : 'node:http') as Http;
  const agent = kept === undefined ? false : keptAgent(url.protocol, http, kept);
  return http.request(url, { ...options, agent });
}

/**
 * Creates an agent that keeps connections and uses no proxy. With NODE_USE_ENV_PROXY, Node's own
 * agent would use a proxy for every address, including this machine.
 */
function keptAgent(protocol: string, { Agent }: Http, kept: KeptAgents): Agent {
  const agent =
    kept.get(protocol) ?? new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });
  kept.set(protocol, agent);
  return agent;
}

interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

/** Reads the whole response of any connection. */
export async function readWhole(
  { status, headers: rawHeaders, body }: Incoming,
  { maxAnswerBytes }: Pick<Sending, 'maxAnswerBytes'>,
): Promise<Received> {
  const headers = new Map(
    Object.entries(rawHeaders).map(([name, value = '']) => [name, [value].flat().join(', ')]),
  );
  const answer = {
    status,
    headers: {
      get: (name: string) => headers.get(name.toLowerCase()) ?? null,
      entries: () => headers.entries(),
    },
  };
  const chunks: Buffer[] = [];
  let length = 0;
  // The loop rejects if the connection ends before the response does.
  for await (const chunk of body) {
    length += chunk.byteLength;
    // Leaving the loop destroys the connection, so an endless response is not read to the end.
    if (length > maxAnswerBytes) return { ...answer, body: undefined };
    chunks.push(chunk);
  }
  return { ...answer, body: Buffer.concat(chunks).toString('utf8') };
}
