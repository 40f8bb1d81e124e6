import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { createRequire } from 'node:module';
import type { Through } from '../../ports/failure.ts';
import type { AnswerHeaders } from './request.ts';

export interface Sending {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the exchange wherever it is. */
  readonly signal: AbortSignal;
  readonly maxAnswerBytes: number;
  /** Called once the whole request is handed to the system. */
  readonly onSent?: (() => void) | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Undefined if it is larger than `maxAnswerBytes`. */
  readonly body: string | undefined;
}

/** Sends once and reads the whole answer, or rejects with the system's own error. Follows nothing. */
export interface Send {
  (sending: Sending): Promise<Received>;
  /** The proxy through which an address is asked; absent where there is none for any. */
  readonly through?: ((url: URL) => Through | undefined) | undefined;
}

/**
 * Over Node's own http and https. `fetch` would have to be loaded first, and that alone takes longer
 * than the start of Node: docs/decisions/0018-calls-and-waits.md.
 */
export function createSend(): Send {
  const keptAgents = new Map<string, Agent>();
  return async (sending) => {
    const incoming = await exchange(sending, keptAgents);
    const { statusCode: status = 0, headers } = incoming;
    return readWhole({ status, headers, body: incoming }, sending);
  };
}

/** One for each protocol, opened with the first connection that is kept. */
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
      // A kept connection may be closed by the other side at this moment, and then nobody knows
      // what became of a write. Reads are simply sent again.
      method === 'GET' || method === 'HEAD' ? keptAgents : undefined,
    );
    request.once('response', resolve);
    request.on('error', reject);
    if (onSent !== undefined) request.once('finish', onSent);
    request.end(body);
  });
}

type Http = Pick<typeof import('node:http'), 'request' | 'Agent'>;

// Not imported: an import of node:http in Node 24 loads all of fetch along with it, and https
// loads TLS, which a sandbox on loopback never needs.
function open(url: URL, options: RequestOptions, kept: KeptAgents | undefined): ClientRequest {
  const http = createRequire('/')(url.protocol === 'https:' ? 'node:https' : 'node:http') as Http;
  const agent = kept === undefined ? false : keptAgent(url.protocol, http, kept);
  return http.request(url, { ...options, agent });
}

/**
 * With NODE_USE_ENV_PROXY Node's own agent asks everything through a proxy, this machine included. Ours
 * keeps connections as Node's does, and goes where it is told.
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

/** The whole answer, whichever way it came. */
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
  // Rejects where the connection ends before the answer does.
  for await (const chunk of body) {
    length += chunk.byteLength;
    // Leaving the loop destroys what is left: whoever sends without end is not read to the end.
    if (length > maxAnswerBytes) return { ...answer, body: undefined };
    chunks.push(chunk);
  }
  return { ...answer, body: Buffer.concat(chunks).toString('utf8') };
}
