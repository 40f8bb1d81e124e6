import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { runInBackground } from '../src/domain/background.ts';
import { sandboxPortTaken } from '../src/errors/sandbox-errors.ts';
import { RESET_HEADER } from './faults.ts';

export interface Answering {
  fetch(request: Request, env: HttpBindings): Response | Promise<Response>;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on the loopback. A response that is marked with a reset is never sent: its connection
 * breaks.
 */
export async function listen(app: Answering, port: number): Promise<Listening> {
  const listener = getRequestListener(
    async (request, env) => {
      const stranger = whyStranger(request.headers);
      if (stranger !== undefined) return Response.json({ error: stranger }, { status: 403 });
      const bindings = env as HttpBindings;
      const response = await app.fetch(request, bindings);
      if (!response.headers.has(RESET_HEADER)) return response;
      bindings.incoming.socket.resetAndDestroy();
      return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer((request, response) => runInBackground(listener(request, response)));
  // Clients keep their connections, and a runner that polls every 3 s must not find one just
  // closed.
  server.keepAliveTimeout = 65_000;
  await open(server, port);
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

function open(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Listens at the wanted port, otherwise at the last one if it is free, to keep an exported
 * environment valid.
 */
export async function listenAt(
  app: Answering,
  wantedPort: number | undefined,
  lastPort: number | undefined,
): Promise<Listening> {
  try {
    return await listen(app, wantedPort || lastPort || 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (wantedPort) throw sandboxPortTaken(wantedPort);
    return listen(app, 0);
  }
}

/**
 * Returns why a request is refused. The sandbox has no login: every process on the loopback may
 * control it, and its AWS runs commands on this machine. A browser may not, neither from another
 * site's script (Origin, Sec-Fetch-Site) nor through a foreign name that resolves to this machine
 * (Host).
 */
function whyStranger(headers: {
  get(name: string): string | null | undefined;
}): string | undefined {
  const host = (headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) {
    return 'The sandbox answers to a loopback address only.';
  }
  const from = headers.get('sec-fetch-site') ?? 'none';
  if ((headers.get('origin') ?? undefined) !== undefined || from !== 'none') {
    return 'The sandbox does not answer to browsers.';
  }
  return undefined;
}
