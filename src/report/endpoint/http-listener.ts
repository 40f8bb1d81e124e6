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
  /** Takes no more connections, finishes what was asked, and gives that so much time. */
  close(withinMs: number): Promise<void>;
}

export interface ListenAt {
  readonly host: string;
  readonly port: number;
  /** What is typed to listen at any free port, for whoever finds this one taken. */
  readonly anyPort: string;
  /** How long a connection may be silent before it has asked. */
  readonly headersMs?: number;
  /** How many connections may be open without asking anything. */
  readonly mostUnanswered?: number;
}

export async function listen(
  app: Hono,
  { host, port, anyPort, headersMs = 3000, mostUnanswered = 100 }: ListenAt,
): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // A probe that opens connections and says nothing must not pile them up. Node looks for late ones
  // twice a minute only, unless it is told.
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

/** The longest silent makes room, so that whoever asks is heard however many say nothing. */
function boundUnresponsive(server: Server, most: number): void {
  const silent = new Set<Socket>();
  const wait = (socket: Socket) => {
    if (socket.destroyed) return;
    silent.add(socket);
    for (const oldest of silent) {
      if (silent.size <= most) return;
      silent.delete(oldest);
      oldest.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => silent.delete(socket));
    wait(socket);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket);
    response.once('close', () => wait(socket));
  });
}

/** A probe or a scraper connects again; who sends thousands at once keeps the process from its work. */
const mostRequests = 100;

function boundRequests(server: Server): void {
  server.maxRequestsPerSocket = mostRequests;
  // Node would answer each of the others with 503.
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
