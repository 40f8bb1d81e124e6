import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { runInBackground } from '../../domain/background.ts';
import { addressTaken } from '../../errors/healthcheck-errors.ts';
import { systemReason } from '../../errors/system-reason.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Accepts no more connections and finishes open requests, within the time limit. */
  close(withinMs: number): Promise<void>;
}

export interface ListenAt {
  readonly host: string;
  readonly port: number;
  /** Flag for any free port, for the error about a port in use. */
  readonly anyPort: string;
  /** Time within which a connection must send its request. */
  readonly headersMs?: number;
  /** Number of open connections without a request. */
  readonly mostUnanswered?: number;
}

export async function listen(
  app: Hono,
  { host, port, anyPort, headersMs = 3000, mostUnanswered = 100 }: ListenAt,
): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // Connections without a request must not accumulate. By default, Node checks for them only twice
  // a minute.
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: 2 * headersMs,
      connectionsCheckingInterval: Math.ceil(headersMs / 3),
      keepAliveTimeout: 5000,
      maxHeaderSize: 8192,
    },
    (request, response) => runInBackground(listener(request, response)),
  );
  boundUnresponsive(server, mostUnanswered);
  boundRequests(server);
  await open(server, { host, port, anyPort });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: (withinMs) => close(server, withinMs),
  };
}

/** Closes the oldest idle connection above the limit, so new requests always get a connection. */
function boundUnresponsive(server: Server, most: number): void {
  const idle = new Set<Socket>();
  const wait = (socket: Socket) => {
    if (socket.destroyed) return;
    idle.add(socket);
    for (const oldest of idle) {
      if (idle.size <= most) return;
      idle.delete(oldest);
      oldest.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => idle.delete(socket));
    wait(socket);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => wait(socket));
  });
}

/**
 * Requests per connection. Probes and scrapers connect again; the limit stops a client that floods
 * the process.
 */
const mostRequests = 100;

function boundRequests(server: Server): void {
  server.maxRequestsPerSocket = mostRequests;
  // By default, Node would respond to each further request with 503.
  server.on('dropRequest', (_, socket: Duplex) => socket.destroy());
}

function open(
  server: Server,
  { host, port, anyPort }: Pick<ListenAt, 'host' | 'port' | 'anyPort'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(addressTaken({ address: `${host}:${port}`, reason: systemReason(error), anyPort })),
    );
    server.listen(port, host, () => resolve());
  });
}

function close(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
