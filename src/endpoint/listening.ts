import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { addressTaken } from '../errors/healthcheck.ts';
import { systemReason } from '../errors/system-reason.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections, finishes what was asked, and gives that so much time. */
  close(withinMs: number): Promise<void>;
}

export interface ListenAt {
  readonly host: string;
  readonly port: number;
  readonly runner: string;
}

export async function listen(app: Hono, { host, port, runner }: ListenAt): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  // A probe that opens connections and says nothing must not pile them up.
  server.requestTimeout = 10_000;
  server.headersTimeout = 5000;
  await open(server, { host, port, runner });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: (withinMs) => close(server, withinMs),
  };
}

function open(server: Server, { host, port, runner }: ListenAt): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(addressTaken({ address: `${host}:${port}`, reason: systemReason(error), runner })),
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
